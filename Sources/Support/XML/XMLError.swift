// SPDX-License-Identifier: Apache-2.0

/// A document that is not well-formed, or beyond the limits; says where, never quotes its content.
public struct XMLError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong.
    public let message: String
    /// The line, from 1; 0 where the document was refused as a whole.
    public let line: Int
    /// The column, from 1.
    public let column: Int

    init(_ message: String, line: Int = 0, column: Int = 0) {
        self.message = message
        self.line = line
        self.column = column
    }

    /// Place and message.
    public var description: String { line > 0 ? "\(line):\(column): \(message)" : message }
}
