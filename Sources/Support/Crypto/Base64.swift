// SPDX-License-Identifier: Apache-2.0

/// Base64 text (RFC 4648).
public enum Base64 {
    /// Which of the two alphabets.
    public enum Alphabet: Sendable {
        /// `+` and `/`, padded with `=`.
        case standard
        /// `-` and `_`, without padding: base64url as JWT uses it.
        case url
    }

    private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let url = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let standardValues = values(of: standard)
    private static let urlValues = values(of: url)
    private static let padding = UInt8(ascii: "=")

    /// Encodes without line breaks.
    public static func encode(_ bytes: [UInt8], _ alphabet: Alphabet = .standard) -> String {
        let digits = alphabet == .url ? url : standard
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var bits: UInt32 = 0
            for index in 0..<count { bits |= UInt32(bytes[start + index]) << UInt32(16 - 8 * index) }
            for place in 0...count { text.append(digits[Int(bits >> UInt32(18 - 6 * place) & 63)]) }
        }
        if alphabet == .standard { while text.count % 4 != 0 { text.append(padding) } }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes strictly; `nil` for a foreign character, a wrong length or padding, or bits left over.
    public static func decode(_ text: some Collection<UInt8>, _ alphabet: Alphabet = .standard) -> [UInt8]? {
        let values = alphabet == .url ? urlValues : standardValues
        let digits = text.prefix { $0 != padding }
        guard isPadded(digits: digits.count, characters: text.count, alphabet),
            text.dropFirst(digits.count).allSatisfy({ $0 == padding })
        else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var held = 0
        for digit in digits {
            let value = values[Int(digit)]
            guard value < 64 else { return nil }
            bits = bits << 6 | UInt32(value)
            held += 6
            guard held >= 8 else { continue }
            held -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
            bits &= 1 << UInt32(held) - 1
        }
        return bits == 0 ? bytes : nil
    }

    /// Decodes the UTF-8 of a text.
    public static func decode(_ text: String, _ alphabet: Alphabet = .standard) -> [UInt8]? {
        decode(text.utf8, alphabet)
    }

    private static func isPadded(digits: Int, characters: Int, _ alphabet: Alphabet) -> Bool {
        guard digits % 4 != 1 else { return false }
        switch alphabet {
        case .url: return characters == digits
        case .standard: return characters == (digits + 3) / 4 * 4
        }
    }

    private static func values(of digits: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }
}
