// SPDX-License-Identifier: Apache-2.0

import Bus

/// What was found in a configuration, as it is shown: errors and doubts by place, of each so many that they can be read.
struct DiagnosticList {
    /// The most that are shown of each severity.
    private static let most = 100

    /// Those that are shown.
    let shown: [Diagnostic]
    /// What is said of the others; `nil` where there are none.
    let rest: String?

    init(_ diagnostics: [Diagnostic]) {
        var counts: [Diagnostic.Severity: Int] = [:]
        shown = diagnostics.filter { diagnostic in
            counts[diagnostic.severity, default: 0] += 1
            return counts[diagnostic.severity, default: 0] <= Self.most
        }
        let more = [Diagnostic.Severity.error, .warning].compactMap { severity -> String? in
            let count = counts[severity, default: 0] - Self.most
            return count > 0 ? "\(count) more \(severity.rawValue)\(count == 1 ? "" : "s")" : nil
        }
        rest = more.isEmpty ? nil : "and \(more.joined(separator: ", "))"
    }

    /// Prints a line each on standard error.
    func print() {
        let lines = shown.map(\.description) + (rest.map { [$0] } ?? [])
        if !lines.isEmpty { Console.error(lines.joined(separator: "\n")) }
    }

    /// Writes an entry each to a log.
    func write(to log: Log) {
        for diagnostic in shown {
            let place: KeyValuePairs = [
                "file": diagnostic.mark.file, "line": "\(diagnostic.mark.line)", "column": "\(diagnostic.mark.column)",
            ]
            switch diagnostic.severity {
            case .error: log.error(diagnostic.message, place)
            case .warning: log.warning(diagnostic.message, place)
            }
        }
        if let rest { log.error(rest) }
    }
}
