// SPDX-License-Identifier: Apache-2.0

/// Writes what an operator should know; a value that can be handed on with more context.
///
/// The message is constant text; what varies goes into the fields. Content, tokens, numbers and secrets go nowhere.
public struct Log: Sendable {
    /// How much an entry matters.
    public enum Level: String, Sendable, CaseIterable, Comparable {
        case debug, info, warning, error

        /// Whether `left` matters less.
        public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            }
        }
    }

    /// Takes an entry to where it is read.
    public typealias Sink = @Sendable (Level, String, [(key: String, value: String)]) -> Void

    private let minimum: Level
    private let fields: [(key: String, value: String)]
    private let sink: Sink

    /// Creates a log that hands entries of `minimum` and above to `sink`.
    public init(minimum: Level, sink: @escaping Sink) {
        self.init(minimum: minimum, fields: [], sink: sink)
    }

    private init(minimum: Level, fields: [(key: String, value: String)], sink: @escaping Sink) {
        self.minimum = minimum
        self.fields = fields
        self.sink = sink
    }

    /// A log that forgets everything.
    public static let silent = Log(minimum: .error) { _, _, _ in }

    /// The same log with a field on every entry.
    public func with(_ key: String, _ value: String) -> Log {
        Log(minimum: minimum, fields: fields + [(key, value)], sink: sink)
    }

    /// Writes an entry; the fields are not computed below the log's level.
    public func write(
        _ level: Level,
        _ message: String,
        _ fields: @autoclosure () -> KeyValuePairs<String, String> = [:]
    ) {
        guard level >= minimum else { return }
        sink(level, message, self.fields + fields().map { (key: $0.key, value: $0.value) })
    }

    /// Writes what only a developer looks for.
    public func debug(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String> = [:]) {
        write(.debug, message, fields())
    }

    /// Writes what happened as it should.
    public func info(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String> = [:]) {
        write(.info, message, fields())
    }

    /// Writes what somebody should look at.
    public func warning(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String> = [:]) {
        write(.warning, message, fields())
    }

    /// Writes what does not work.
    public func error(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String> = [:]) {
        write(.error, message, fields())
    }
}
