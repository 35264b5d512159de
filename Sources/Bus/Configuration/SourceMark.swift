// SPDX-License-Identifier: Apache-2.0

/// A place in a file, as an editor counts it.
public struct SourceMark: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The file's name as the user gave it.
    public var file: String
    /// The line, from 1.
    public var line: Int
    /// The column in characters, from 1.
    public var column: Int

    /// Creates a mark.
    public init(file: String, line: Int = 1, column: Int = 1) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// The form that editors and terminals turn into a link: `FILE:LINE:COLUMN`.
    public var description: String { "\(file):\(line):\(column)" }

    /// The folder of the file, which the relative paths named in it start from.
    public var directory: String {
        guard let slash = file.lastIndex(of: "/") else { return "." }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }

    /// Orders by file, line and column.
    public static func < (left: Self, right: Self) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}
