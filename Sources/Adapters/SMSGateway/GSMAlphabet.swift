// SPDX-License-Identifier: Apache-2.0

/// The 7-bit alphabet of text messages: 3GPP TS 23.038, 6.2.1 and 6.2.1.1.
enum GSMAlphabet {
    /// The characters of one septet, in the order of their codes; 0x1B leads to the extension table.
    static let basic: [Unicode.Scalar] = Array(
        ("@£$¥èéùìòÇ\nØø\rÅå"
            + "Δ_ΦΓΛΩΠΨΣΘΞ\u{1B}ÆæßÉ"
            + " !\"#¤%&'()*+,-./"
            + "0123456789:;<=>?"
            + "¡ABCDEFGHIJKLMNO"
            + "PQRSTUVWXYZÄÖÑÜ§"
            + "¿abcdefghijklmno"
            + "pqrstuvwxyzäöñüà").unicodeScalars
    )

    /// The characters that take an escape and a second septet, with the code of that.
    static let extended: [(scalar: Unicode.Scalar, code: UInt8)] = [
        ("\u{0C}", 0x0A), ("^", 0x14), ("{", 0x28), ("}", 0x29), ("\\", 0x2F), ("[", 0x3C), ("~", 0x3D), ("]", 0x3E),
        ("|", 0x40), ("€", 0x65),
    ]

    /// How many septets a character takes; `nil` where the alphabet does not have it.
    static func septets(of scalar: Unicode.Scalar) -> Int? { costs[scalar] }

    private static let costs: [Unicode.Scalar: Int] = {
        var costs = Dictionary(uniqueKeysWithValues: basic.map { ($0, 1) })
        costs["\u{1B}"] = nil
        for character in extended { costs[character.scalar] = 2 }
        return costs
    }()
}
