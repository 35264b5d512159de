// SPDX-License-Identifier: Apache-2.0

/// One thing that is wrong, or doubtful, in a configuration file.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
    /// How bad it is.
    public enum Severity: String, Sendable, Hashable {
        /// The configuration cannot be used.
        case error
        /// The configuration works, but perhaps not as meant.
        case warning
    }

    /// How bad it is.
    public var severity: Severity
    /// Where it is.
    public var mark: SourceMark
    /// What is wrong and what to do, in one line, without secrets.
    public private(set) var message: String

    /// Creates a diagnostic.
    public init(_ severity: Severity, at mark: SourceMark, _ message: String) {
        self.severity = severity
        self.mark = mark
        self.message = Self.printable(message)
    }

    /// Keeps a message in its line and a terminal in its state, whatever a file's keys and values hold.
    private static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { scalar in
            isControl(scalar) ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
        }.joined()
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        // Marks that turn the direction of what follows: a line would read as another one.
        case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Creates an error.
    public static func error(at mark: SourceMark, _ message: String) -> Self { Self(.error, at: mark, message) }

    /// Creates a warning.
    public static func warning(at mark: SourceMark, _ message: String) -> Self { Self(.warning, at: mark, message) }

    /// The line for people: `FILE:LINE:COLUMN: error: MESSAGE`.
    public var description: String { "\(mark): \(severity.rawValue): \(message)" }
}

extension Sequence<Diagnostic> {
    /// Whether one of them forbids using the configuration.
    public var hasErrors: Bool { contains { $0.severity == .error } }

    /// Each of them once, by file, line and column; what was found first stays first at one place.
    public func sortedByPlace() -> [Diagnostic] {
        var seen: Set<Diagnostic> = []
        let unique = filter { seen.insert($0).inserted }
        return unique.enumerated().sorted { ($0.element.mark, $0.offset) < ($1.element.mark, $1.offset) }.map(\.element)
    }
}

/// A configuration that cannot be used, with everything that is wrong in it.
public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The problems, by file, line and column.
    public let diagnostics: [Diagnostic]

    /// Creates an error from everything that was found, over any number of files.
    public init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics.sortedByPlace() }

    /// Creates an error of one problem.
    public init(at mark: SourceMark, _ message: String) { self.init([.error(at: mark, message)]) }

    /// One line a problem.
    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
