// SPDX-License-Identifier: Apache-2.0

import Bus

/// What libyaml says about broken text, in the words of someone who wants it mended.
struct SyntaxProblem {
    let error: ConfigurationError

    init(
        _ problem: String,
        at mark: SourceMark,
        while context: (text: String, mark: SourceMark)?,
        in source: SourceText
    ) {
        let line = source.line(mark.line)
        if let tab = Self.indentingTab(line) {
            let place = SourceMark(file: mark.file, line: mark.line, column: tab + 1)
            error = ConfigurationError(at: place, "a tab cannot indent a line in YAML; use spaces")
            return
        }
        let during = context.map { " \($0.text) that begins at line \($0.mark.line)" } ?? ""
        let advice = Self.advice(problem, line, column: mark.column)
        error = ConfigurationError(at: mark, "not valid YAML: \(problem)\(during)\(advice)")
    }

    private static func indentingTab(_ line: Substring.UnicodeScalarView) -> Int? {
        line.prefix { $0 == " " || $0 == "\t" }.enumerated().first { $0.element == "\t" }?.offset
    }

    private static func advice(_ problem: String, _ line: Substring.UnicodeScalarView, column: Int) -> String {
        if String(line).contains("${") { return "; a value with ${…} inside { } or [ ] needs quotes around it" }
        switch problem {
        case "mapping values are not allowed in this context":
            return "; look at the indentation, and put quotes around a value that holds ': '"
        case "found character that cannot start any token":
            let found = line.dropFirst(column - 1).first.map(String.init) ?? ""
            return "; put quotes around a value that begins with '\(found)'"
        case "did not find expected key", "did not find expected '-' indicator", "could not find expected ':'":
            return "; look at the indentation of this line and the ones before it"
        default: return ""
        }
    }
}
