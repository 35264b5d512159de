// SPDX-License-Identifier: Apache-2.0

public import Bus

/// What a phone shows as the sender of a message: 3GPP TS 23.040, 9.1.2.5, and what SMSCs take.
public struct SenderName: SettingsValue, Equatable {
    private static let longestName = 11

    /// The sender as the gateway gets it.
    public let text: String

    /// A number, a short code or a name.
    public static var kind: SettingsKind { SettingsKind("number or name") }
    /// Nobody.
    public static var placeholder: Self { Self(text: "busd") }
    /// The sender.
    public var settingsText: String { text }

    /// Reads a number with or without `+`, a short code, or a name of at most 11 letters.
    public init(_ scalar: SettingsScalar) throws(SettingsProblem) {
        guard Self.isNumber(scalar.text) || Self.isName(scalar.text) else {
            throw SettingsProblem(
                "must be a number such as +74951234567, a short code of 3 to 6 digits, or a name of at most "
                    + "\(Self.longestName) characters that text messages have, with a letter in it, not \(scalar.quoted)"
            )
        }
        text = scalar.text
    }

    private init(text: String) { self.text = text }

    private static func isNumber(_ text: String) -> Bool {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "+") }
        guard text.utf8.count - digits.count <= 1, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return false
        }
        if text.hasPrefix("+") { return PhoneNumber.isInternational(digits) }
        return (3...6).contains(digits.count) || PhoneNumber.isInternational(digits)
    }

    private static func isName(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        return (1...longestName).contains(scalars.count) && !text.contains("+")
            && scalars.contains { $0.properties.isAlphabetic }
            && scalars.allSatisfy { $0.value >= 0x20 && GSMAlphabet.septets(of: $0) == 1 }
    }
}
