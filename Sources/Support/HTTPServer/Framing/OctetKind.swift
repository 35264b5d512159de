// SPDX-License-Identifier: Apache-2.0

/// What a byte may stand for in a request's head (RFC 9110 §5.6.2, RFC 9112 §3).
enum OctetKind {
    /// A part of a method or of a field's name.
    case token
    /// A part of a target: visible ASCII.
    case target
    /// A part of a field's value: visible, blank, tab or beyond ASCII.
    case value

    /// A bit for each byte below 128 that may be a part of a token.
    private static let lowTokens: UInt64 = 0x3ff6cfa00000000
    private static let highTokens: UInt64 = 0x57ffffffc7fffffe

    /// Whether a byte may stand here.
    @inline(__always)
    static func allows(_ byte: UInt8, as kind: Self) -> Bool {
        switch kind {
        case .token:
            if byte >= 0x80 { return false }
            return (byte < 64 ? lowTokens >> UInt64(byte) : highTokens >> UInt64(byte &- 64)) & 1 == 1
        case .target: return byte >= 0x21 && byte <= 0x7e
        case .value: return (byte >= 0x20 && byte != 0x7f) || byte == Octet.tab
        }
    }
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
    static let questionMark = UInt8(ascii: "?")
    static let semicolon = UInt8(ascii: ";")
    static let slash = UInt8(ascii: "/")
}
