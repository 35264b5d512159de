// SPDX-License-Identifier: Apache-2.0

/// What a byte may stand for in a request's head (RFC 9110 §5.6.2, RFC 9112 §3).
struct OctetKind: OptionSet {
    let rawValue: UInt8

    /// A part of a method or of a field's name.
    static let token = Self(rawValue: 1)
    /// A part of a target: visible ASCII.
    static let target = Self(rawValue: 2)
    /// A part of a field's value: visible, blank, tab or beyond ASCII.
    static let value = Self(rawValue: 4)

    private static let table: [UInt8] = (0...255).map { number in
        let byte = UInt8(number)
        var kind: Self = []
        let isVisible = (0x21...0x7e).contains(byte)
        if isVisible { kind.insert(.target) }
        if isVisible || byte == 0x20 || byte == 0x09 || byte >= 0x80 { kind.insert(.value) }
        if isVisible, !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte) { kind.insert(.token) }
        return kind.rawValue
    }

    /// Whether a byte may stand here.
    static func allows(_ byte: UInt8, as kind: Self) -> Bool { table[Int(byte)] & kind.rawValue != 0 }
}

/// The bytes that frame a request.
enum Octet {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0a
    static let carriageReturn: UInt8 = 0x0d
    static let blank: UInt8 = 0x20
    static let ampersand = UInt8(ascii: "&")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")
    static let semicolon = UInt8(ascii: ";")
    static let slash = UInt8(ascii: "/")
}
