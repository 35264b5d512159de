// SPDX-License-Identifier: Apache-2.0

import Bus

/// The text of a file, checked for what no YAML parser should be bothered with.
struct SourceText {
    let file: String
    /// The text without a byte order mark.
    let text: String
    private let lines: [Substring.UnicodeScalarView]

    init(_ bytes: [UInt8], file: String) throws(ConfigurationError) {
        self.file = file
        let start = SourceMark(file: file)
        guard bytes.count <= YAML.largestFile else {
            throw ConfigurationError(at: start, "the file is larger than \(ByteCount(YAML.largestFile).settingsText)")
        }
        if Self.looksWide(bytes) {
            throw ConfigurationError(at: start, "the file is not UTF-8 but UTF-16 or UTF-32; save it as UTF-8")
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(
                at: Self.firstBadByte(bytes, file: file),
                "this byte is not UTF-8; save the file as UTF-8 (it may be windows-1251 or latin-1 now)"
            )
        }
        let scalars = decoded.unicodeScalars
        text = scalars.first == "\u{FEFF}" ? String(scalars.dropFirst()) : decoded
        lines = Self.split(text)
        try checkCharacters()
    }

    /// Whether there is nothing at all in it, not even a comment.
    var isBlank: Bool { text.unicodeScalars.allSatisfy { $0.properties.isWhitespace } }

    /// The characters of a line, from 1; none behind the end.
    func line(_ number: Int) -> Substring.UnicodeScalarView {
        lines.indices.contains(number - 1) ? lines[number - 1] : Substring().unicodeScalars
    }

    /// Where the `-` of a list item stands, given where its value begins.
    ///
    /// libyaml does not say. Between the two are only blanks, line ends and comments, so the way back is short. Not
    /// for lists in brackets, of which one line may hold many thousand items.
    func dash(before mark: SourceMark) -> SourceMark? {
        var number = mark.line
        var before = line(number).prefix(mark.column - 1)
        while true {
            while let last = before.last, last == " " || last == "\t" { before.removeLast() }
            if before.last == "-" { return SourceMark(file: file, line: number, column: before.count) }
            guard before.isEmpty, number > 1 else { return nil }
            number -= 1
            before = Self.withoutComment(line(number))
        }
    }

    private static func withoutComment(_ line: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        var previous: Unicode.Scalar = " "
        for index in line.indices {
            if line[index] == "#", previous == " " || previous == "\t" { return line[..<index] }
            previous = line[index]
        }
        return line
    }

    private static func split(_ text: String) -> [Substring.UnicodeScalarView] {
        var lines: [Substring.UnicodeScalarView] = []
        let scalars = text[...].unicodeScalars
        var start = scalars.startIndex
        var index = start
        while index < scalars.endIndex {
            let next = scalars.index(after: index)
            let isPair = scalars[index] == "\r" && next < scalars.endIndex && scalars[next] == "\n"
            if isBreak(scalars[index]) {
                lines.append(scalars[start..<index])
                start = isPair ? scalars.index(after: next) : next
                index = start
            } else {
                index = next
            }
        }
        return lines + [scalars[start...]]
    }

    /// What YAML 1.2 and editors count as the end of a line.
    ///
    /// libyaml ends lines at U+0085, U+2028 and U+2029 too, so those are not allowed outside of escapes: its marks would
    /// be off, and values cut.
    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }

    private func checkCharacters() throws(ConfigurationError) {
        for (row, line) in lines.enumerated() {
            for (column, scalar) in line.enumerated() where !Self.isAllowed(scalar) {
                let code = String(scalar.value, radix: 16, uppercase: true)
                let name = String(repeating: "0", count: max(0, 4 - code.count)) + code
                throw ConfigurationError(
                    at: SourceMark(file: file, line: row + 1, column: column + 1),
                    "the character U+\(name) is not allowed in a file; remove it, or write it as an escape in \"…\""
                )
            }
        }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2028, 0x2029: false
        case 0x09, 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// UTF-16 and UTF-32 have a byte order mark, or a zero within the first characters of any YAML text.
    private static func looksWide(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return true }
        guard bytes.count >= 4 else { return false }
        return (bytes[0] == 0) != (bytes[1] == 0) && (bytes[2] == 0) != (bytes[3] == 0)
            || bytes.starts(with: [0, 0, 0xFE, 0xFF])
    }

    private static func firstBadByte(_ bytes: [UInt8], file: String) -> SourceMark {
        var mark = SourceMark(file: file)
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            if scalar == "\n" {
                mark.line += 1
                mark.column = 1
            } else if scalar != "\u{FEFF}" {
                mark.column += 1
            }
        }
        return mark
    }
}
