// SPDX-License-Identifier: Apache-2.0

/// Writes a document as UTF-8 bytes; it neither indents nor checks that tags match.
public struct XMLWriter: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []

    /// Creates an empty document with room for `capacity` bytes.
    public init(capacity: Int = 1024) { bytes.reserveCapacity(capacity) }

    /// Writes markup as it stands.
    public mutating func markup(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes a name that was read from a document, which therefore is one.
    public mutating func name(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Writes character data or an attribute's value.
    ///
    /// What XML 1.0 cannot hold at all, control characters above all, becomes U+FFFD.
    public mutating func text(_ text: String) {
        var text = text
        text.withUTF8 { write($0) }
    }

    /// Writes `<name>text</name>`.
    public mutating func element(_ name: StaticString, _ text: String) {
        open(name)
        self.text(text)
        close(name)
    }

    /// Writes `<name>`.
    public mutating func open(_ name: StaticString) {
        markup("<")
        markup(name)
        markup(">")
    }

    /// Writes `</name>`.
    public mutating func close(_ name: StaticString) {
        markup("</")
        markup(name)
        markup(">")
    }

    private mutating func write(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        var index = 0
        while index < text.count {
            guard let (length, replacement) = Self.special(text, at: index) else {
                index += 1
                continue
            }
            bytes.append(contentsOf: text[start..<index])
            markup(replacement)
            index += length
            start = index
        }
        bytes.append(contentsOf: text[start...])
    }

    /// What cannot stand here, its length, and what stands in its place.
    ///
    /// A carriage return would come out as a line
    /// feed at the reader's.
    private static func special(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> (Int, StaticString)? {
        switch text[index] {
        case UInt8(ascii: "&"): return (1, "&amp;")
        case UInt8(ascii: "<"): return (1, "&lt;")
        case UInt8(ascii: ">"): return (1, "&gt;")
        case UInt8(ascii: "\""): return (1, "&quot;")
        case UInt8(ascii: "\r"): return (1, "&#13;")
        case UInt8(ascii: "\t"), UInt8(ascii: "\n"): return nil
        case ..<0x20: return (1, "\u{fffd}")
        case 0xef where index + 2 < text.count && text[index + 1] == 0xbf && text[index + 2] >= 0xbe:
            return (3, "\u{fffd}")
        default: return nil
        }
    }
}
