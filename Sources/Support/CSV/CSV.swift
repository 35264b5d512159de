// SPDX-License-Identifier: Apache-2.0

/// Comma-separated values, as RFC 4180 describes them: UTF-8, quotes doubled inside quotes, LF or CRLF.
public enum CSV {
    /// One record.
    public struct Row: Sendable, Equatable {
        /// Where it begins, from 1.
        public let line: Int
        /// Its fields, without quotes.
        public let fields: [String]
    }

    /// What is wrong with a text.
    public struct ParseError: Error, Sendable, Equatable {
        /// Where, from 1.
        public let line: Int
        /// What, without the text itself.
        public let message: String

        /// Names a fault.
        public init(line: Int, message: String) {
            self.line = line
            self.message = message
        }
    }

    /// Reads all records; empty lines are none, and a byte order mark is skipped.
    ///
    /// - Throws: ``ParseError`` at the first fault.
    public static func parse(_ bytes: [UInt8]) throws(ParseError) -> [Row] {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw ParseError(line: 1, message: "is not UTF-8")
        }
        var reader = Reader(bytes: bytes, position: bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0)
        var rows: [Row] = []
        while let row = try reader.row() {
            if row.fields != [""] { rows.append(row) }
        }
        return rows
    }
}

private struct Reader {
    let bytes: [UInt8]
    var position: Int
    var line = 1

    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    mutating func row() throws(CSV.ParseError) -> CSV.Row? {
        guard position < bytes.count else { return nil }
        let start = line
        var fields: [String] = []
        while true {
            fields.append(try field())
            guard position < bytes.count, bytes[position] == Self.comma else { break }
            position += 1
        }
        endLine()
        return CSV.Row(line: start, fields: fields)
    }

    private mutating func endLine() {
        if position < bytes.count, bytes[position] == Self.carriageReturn { position += 1 }
        if position < bytes.count, bytes[position] == Self.newline { position += 1 }
        line += 1
    }

    private mutating func field() throws(CSV.ParseError) -> String {
        if position < bytes.count, bytes[position] == Self.quote { return try quoted() }
        let start = position
        while position < bytes.count, !isEnd {
            if bytes[position] == Self.quote {
                throw CSV.ParseError(line: line, message: "has a quote inside a field that does not begin with one")
            }
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func quoted() throws(CSV.ParseError) -> String {
        let start = line
        var text: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == Self.newline { line += 1 }
            guard byte == Self.quote else {
                text.append(byte)
                continue
            }
            guard position < bytes.count, bytes[position] == Self.quote else {
                guard position == bytes.count || isEnd else {
                    throw CSV.ParseError(line: line, message: "goes on after a field's closing quote")
                }
                return String(decoding: text, as: UTF8.self)
            }
            text.append(Self.quote)
            position += 1
        }
        throw CSV.ParseError(line: start, message: "has a quote that is never closed")
    }

    /// Whether a field ends here.
    private var isEnd: Bool {
        switch bytes[position] {
        case Self.comma, Self.newline: true
        case Self.carriageReturn: position + 1 == bytes.count || bytes[position + 1] == Self.newline
        default: false
        }
    }
}
