// SPDX-License-Identifier: Apache-2.0

/// Why a text is not the JSON that was asked for, and where; it quotes nothing of the text.
public struct JSONError: Error, CustomStringConvertible, Equatable {
    /// What is wrong, in a few words.
    public let message: String
    /// The line, from 1.
    public let line: Int
    /// The column in characters, from 1.
    public let column: Int
    /// The byte offset, from 0.
    public let position: Int

    /// `line:column: message`.
    public var description: String { "\(line):\(column): \(message)" }
}
