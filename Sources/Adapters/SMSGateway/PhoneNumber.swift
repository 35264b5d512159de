// SPDX-License-Identifier: Apache-2.0

public import Bus

/// A phone number as the world dials it: ITU-T E.164.
struct PhoneNumber: Equatable {
    private static let longestWritten = 64

    /// The digits, country code first, without `+`.
    let digits: String

    /// The form with `+`, by which an SMSC knows the number as an international one.
    var international: String { "+" + digits }

    /// Reads a number as people write it; `nil` where it is none.
    ///
    /// Blanks, brackets, hyphens and dots are left out, `00` stands for `+`. A number without either is taken as
    /// international too, unless the country's habits say otherwise.
    init?(_ written: String, country: Country?) {
        guard written.utf8.count <= Self.longestWritten else { return nil }
        var text = Substring(String(written.unicodeScalars.filter { !Self.isPunctuation($0) }))
        let isMarked = text.hasPrefix("+") || text.hasPrefix("00")
        if isMarked { text = text.dropFirst(text.hasPrefix("+") ? 1 : 2) }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let digits = isMarked ? String(text) : country?.international(text) ?? String(text)
        guard Self.isInternational(digits.utf8) else { return nil }
        self.digits = digits
    }

    /// Whether these digits can be an international number: 7 to 15, and no country code begins with 0.
    static func isInternational(_ digits: some Collection<UInt8>) -> Bool {
        (7...15).contains(digits.count) && digits.first != UInt8(ascii: "0")
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "(", ")", "-", ".", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}": true
        default: scalar.properties.isWhitespace
        }
    }
}

/// A country whose way of writing numbers without a country code is known.
public enum Country: String, CaseIterable, SettingsValue {
    /// Russia: `8` before the ten digits, or the ten digits of a mobile phone alone.
    case russia = "RU"

    fileprivate func international(_ national: Substring) -> String? {
        switch (national.utf8.count, national.first) {
        case (11, "8"): "7" + national.dropFirst()
        case (10, "9"): "7" + national
        default: nil
        }
    }
}
