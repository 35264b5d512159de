// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Appends UTF-8 escaped for a JSON string: runs that need nothing are copied whole.
    mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in 0..<text.count {
            let byte = text[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            appendEscape(byte)
            start = index + 1
        }
        append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    private mutating func appendEscape(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): append(UInt8(ascii: "t"))
        case 0..<0x20:
            append(contentsOf: [UInt8(ascii: "u"), 0x30, 0x30, 0x30 + byte >> 4])
            append(byte & 15 < 10 ? 0x30 + byte & 15 : 0x57 + byte & 15)
        default: append(byte)
        }
    }
}

extension JSONWriter {
    /// The bytes that a text takes between its quotes.
    public static func escapedLength(of text: String) -> Int { text.utf8.reduce(0) { $0 + escapedLength(of: $1) } }

    /// The bytes that one byte of a text's UTF-8 takes.
    public static func escapedLength(of byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): 2
        case 0..<0x20: 6
        default: 1
        }
    }
}
