// SPDX-License-Identifier: Apache-2.0

/// What a JSON text may cost at most.
public struct JSONLimits: Sendable {
    /// Bytes of the text.
    public var bytes: Int
    /// Lists and objects inside each other.
    public var depth: Int
    /// Values and members in all, which bounds the memory: a two-byte `[]` costs a hundred bytes when parsed.
    public var values: Int

    /// Creates limits; the depth is at most 1,000 whatever is asked for.
    public init(bytes: Int = 1 << 20, depth: Int = 64, values: Int = 100_000) {
        self.bytes = bytes
        self.depth = min(depth, 1000)
        self.values = values
    }

    /// Finds the first place that goes beyond the limits, without building anything.
    func check(_ text: UnsafeBufferPointer<UInt8>) throws(JSONError) {
        guard text.count <= bytes else { throw JSONError(message: "longer than \(bytes) bytes", at: bytes, in: text) }
        // Jansson passes over a zero byte that follows a number.
        if let zero = text.firstIndex(of: 0) { throw JSONError(message: "not valid JSON", at: zero, in: text) }
        var open = 0
        var found = 1
        var position = 0
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""): position = Self.endOfString(text, from: position)
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                open += 1
                found += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): open -= 1
            case UInt8(ascii: ","): found += 1
            default: break
            }
            guard open <= depth else {
                throw JSONError(message: "nested deeper than \(depth) levels", at: position, in: text)
            }
            guard found <= values else {
                throw JSONError(message: "more than \(values) values", at: position, in: text)
            }
            position += 1
        }
    }

    /// The place of the quote that ends a string, or of the end of the text.
    private static func endOfString(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var position = start + 1
        while position < text.count, text[position] != UInt8(ascii: "\"") {
            position += text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return position
    }
}

extension JSONError {
    /// An error at a byte offset, whose line and column are counted.
    init(message: String, at position: Int, in text: UnsafeBufferPointer<UInt8>) {
        var line = 1
        var column = 1
        for byte in text.prefix(position) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xc0 != 0x80 {
                column += 1
            }
        }
        self.init(message: message, line: line, column: column, position: position)
    }
}
