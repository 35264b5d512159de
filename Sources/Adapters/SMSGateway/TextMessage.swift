// SPDX-License-Identifier: Apache-2.0

/// A text with the alphabet it is sent in and the number of messages it takes on the air.
struct TextMessage: Equatable {
    /// The alphabets, and how many of their units a message has room for (3GPP TS 23.040, 9.2.3.24).
    enum Alphabet: Equatable {
        /// Septets of GSM 03.38; Kannel's `coding=0`.
        case gsm
        /// Units of 16 bits; Kannel's `coding=2`.
        case ucs2

        var coding: Int { self == .gsm ? 0 : 2 }
        /// Units in a message that stands alone.
        fileprivate var whole: Int { self == .gsm ? 160 : 70 }
        /// Units in each of several messages, behind a header of six bytes.
        fileprivate var part: Int { self == .gsm ? 153 : 67 }
    }

    /// Where it goes.
    var number: PhoneNumber
    /// What it says.
    var text: String
    /// The alphabet that has all of its characters.
    var alphabet: Alphabet
    /// How many messages it takes.
    var parts: Int

    /// Chooses the alphabet and counts the parts.
    init(_ text: String, to number: PhoneNumber) {
        self.number = number
        self.text = text
        let septets = text.unicodeScalars.map(GSMAlphabet.septets(of:))
        if !septets.contains(nil) {
            alphabet = .gsm
            parts = Self.parts(septets.compactMap(\.self), .gsm)
        } else {
            alphabet = .ucs2
            parts = Self.parts(Self.pieces(of: text), .ucs2)
        }
    }

    /// Bytes of UTF-8 beyond which a text has more parts than these, whatever its characters: no need to count.
    static func mostBytes(parts: Int) -> Int { parts * Alphabet.gsm.whole * 3 }

    /// The lengths of what must not be cut in UCS-2: characters as people see them, and where one of those is longer
    /// than a part, its code points, each of which may be a pair of surrogates.
    ///
    /// A gateway that cuts anywhere, as Kannel does, never needs more parts than that.
    private static func pieces(of text: String) -> [Int] {
        text.flatMap { character in
            let units = character.utf16.count
            return units <= Alphabet.ucs2.part ? [units] : character.unicodeScalars.map { $0.utf16.count }
        }
    }

    /// Puts pieces into parts, each as full as can be.
    private static func parts(_ pieces: [Int], _ alphabet: Alphabet) -> Int {
        if pieces.reduce(0, +) <= alphabet.whole { return 1 }
        var parts = 1
        var used = 0
        for piece in pieces {
            if used + piece > alphabet.part {
                parts += 1
                used = 0
            }
            used += piece
        }
        return parts
    }
}
