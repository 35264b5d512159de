// SPDX-License-Identifier: Apache-2.0

/// A type that a single value in the configuration can be read as.
///
/// A module's own enums need no code: `enum Method: String, CaseIterable, SettingsValue { case get, post }`.
public protocol SettingsValue: Sendable {
    /// What the value looks like, for documentation and the schema.
    static var kind: SettingsKind { get }

    /// Stands in for a bad or missing value while the remaining options are still being checked.
    static var placeholder: Self { get }

    /// Reads the value.
    ///
    /// - Throws: ``SettingsProblem``, which goes on after the option's name: `must be …`.
    init(_ scalar: SettingsScalar) throws(SettingsProblem)

    /// The value as one would write it in a file: shown as the default.
    var settingsText: String { get }
}

/// A single value on its way to a type, variables filled in.
public struct SettingsScalar: Sendable {
    /// The text.
    public var text: String
    /// The text as it stands in the file, with the names of variables and not what they bring.
    public var written: String
    /// Whether it may mean a number or a boolean: it stood without quotes, or a variable brought it.
    public var isPlain: Bool
    /// Whether a variable had a part in it, so that it may be a secret and is never quoted in messages.
    public var isFromVariable: Bool
    /// Where the value stands.
    public var mark: SourceMark
    /// A value such as the option usually has, for advice; `nil` where none is known.
    public var usual: String?

    /// Creates a scalar; one that is written as it reads where nothing is said.
    public init(
        _ text: String,
        isPlain: Bool = true,
        isFromVariable: Bool = false,
        written: String? = nil,
        mark: SourceMark
    ) {
        self.text = text
        self.written = written ?? text
        self.isPlain = isPlain
        self.isFromVariable = isFromVariable
        self.mark = mark
    }

    /// The value for a message: in quotes and shortened, or no value at all where it may be a secret.
    public var quoted: String {
        if isFromVariable { return "the value of the variable" }
        // A URL or an address with a password in it.
        if text.contains("@") { return "this value" }
        return text.count > 40 ? "\"\(text.prefix(40))…\"" : "\"\(text)\""
    }
}

/// Why a value cannot be used; goes on after the option's name: `must be …`.
public struct SettingsProblem: Error, Sendable, Equatable {
    /// The rest of the sentence.
    public let message: String

    /// Creates a problem.
    public init(_ message: String) { self.message = message }
}

/// What a single value looks like.
public struct SettingsKind: Sendable, Equatable {
    /// The JSON types it may have in a file.
    public enum JSONType: String, Sendable {
        /// Text, quoted or not.
        case string
        /// A whole number.
        case integer
        /// `true` or `false`.
        case boolean
    }

    /// The name in documentation: `duration`, `whole number`.
    public var name: String
    /// Its type in the JSON Schema.
    public var jsonType: JSONType
    /// The only values allowed, where they can be listed.
    public var choices: [String]
    /// A regular expression for the JSON Schema.
    public var pattern: String?
    /// Whether the value is never shown.
    public var isSecret: Bool

    /// Creates a kind.
    public init(
        _ name: String,
        jsonType: JSONType = .string,
        choices: [String] = [],
        pattern: String? = nil,
        isSecret: Bool = false
    ) {
        self.name = name
        self.jsonType = jsonType
        self.choices = choices
        self.pattern = pattern
        self.isSecret = isSecret
    }
}
