// SPDX-License-Identifier: Apache-2.0

extension String: SettingsValue {
    /// Any text.
    public static var kind: SettingsKind { SettingsKind("string") }
    /// Empty text.
    public static var placeholder: String { "" }
    /// Takes the text as it stands: `no` and `0123` are strings where a string is wanted.
    public init(_ scalar: SettingsScalar) throws(SettingsProblem) { self = scalar.text }
    /// The text.
    public var settingsText: String { self }
}

extension Int: SettingsValue {
    /// A whole number.
    public static var kind: SettingsKind { SettingsKind("whole number", jsonType: .integer) }
    /// Zero.
    public static var placeholder: Int { 0 }

    /// Reads decimal digits with an optional sign.
    public init(_ scalar: SettingsScalar) throws(SettingsProblem) {
        let digits = scalar.text.drop { $0 == "-" || $0 == "+" }
        guard scalar.text.count - digits.count <= 1, !digits.isEmpty, digits.utf8.allSatisfy({ 48...57 ~= $0 }) else {
            throw SettingsProblem("must be a whole number, not \(scalar.quoted)")
        }
        if digits.count > 1, digits.first == "0" {
            throw SettingsProblem(
                "must be a whole number without leading zeros, not \(scalar.quoted), which some programs read as octal"
            )
        }
        guard let value = Int(scalar.text) else { throw SettingsProblem("is too large a number") }
        guard scalar.isPlain else {
            throw SettingsProblem("must be a whole number, not a string; remove the quotes around \(scalar.quoted)")
        }
        self = value
    }

    /// Decimal digits.
    public var settingsText: String { String(self) }
}

extension Bool: SettingsValue {
    /// `true` or `false`.
    public static var kind: SettingsKind { SettingsKind("true or false", jsonType: .boolean) }
    /// False.
    public static var placeholder: Bool { false }

    /// Reads YAML 1.2's booleans; the words of YAML 1.1 get an answer that names the right one.
    public init(_ scalar: SettingsScalar) throws(SettingsProblem) {
        let value: Bool
        switch scalar.text {
        case "true", "True", "TRUE": value = true
        case "false", "False", "FALSE": value = false
        default: throw Self.problem(scalar)
        }
        guard scalar.isPlain else {
            throw SettingsProblem("must be true or false, not a string; remove the quotes around \(scalar.quoted)")
        }
        self = value
    }

    private static func problem(_ scalar: SettingsScalar) -> SettingsProblem {
        let meant =
            switch scalar.text.lowercased() {
            case "yes", "on", "y", "1": "; did you mean true?"
            case "no", "off", "n", "0": "; did you mean false?"
            default: ""
            }
        return SettingsProblem("must be true or false, not \(scalar.quoted)\(meant)")
    }

    /// `true` or `false`.
    public var settingsText: String { self ? "true" : "false" }
}

extension SettingsValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    /// One of the names.
    public static var kind: SettingsKind { SettingsKind("name", choices: allCases.map(\.rawValue)) }
    /// The first of the names.
    public static var placeholder: Self { allCases[allCases.startIndex] }

    /// Reads one of the names, exactly as written.
    public init(_ scalar: SettingsScalar) throws(SettingsProblem) {
        if let value = Self(rawValue: scalar.text) {
            self = value
            return
        }
        let names = Self.allCases.map(\.rawValue)
        let advice = scalar.isFromVariable ? "" : Suggestion.clause(for: scalar.text, in: names)
        throw SettingsProblem("must be one of \(names.joined(separator: ", ")), not \(scalar.quoted)\(advice)")
    }

    /// The name.
    public var settingsText: String { rawValue }
}
