// SPDX-License-Identifier: Apache-2.0

/// A value under a name of the user's choice.
public struct NamedSetting<Value: Sendable>: Sendable {
    /// The name.
    public var name: String
    /// Where the name stands.
    public var mark: SourceMark
    /// The value.
    public var value: Value
}

extension NamedSetting: Equatable where Value: Equatable {}

extension SettingsReader {
    /// Reads values in order that must be given, at least one.
    ///
    /// Where `acceptsOne`, a single value may stand for a list of one.
    public mutating func requiredList<Value: SettingsValue>(
        _ key: String,
        _ summary: String,
        acceptsOne: Bool = false,
        example: String? = nil,
        validate: (Value) -> String? = { _ in nil }
    ) -> [Value] {
        let option = Self.list(key, summary, Value.self, acceptsOne, example, isRequired: true, fallback: nil)
        guard let entry = take(option, key: key) else {
            reportMissing(key)
            return []
        }
        if entry.value.items?.isEmpty == true { add(.error(at: entry.value.mark, "'\(key)' must not be empty")) }
        return values(entry, acceptsOne, validate) ?? []
    }

    /// Reads values in order, or takes the default where the user wrote nothing.
    ///
    /// Where `acceptsOne`, a single value may stand for a list of one.
    public mutating func optionalList<Value: SettingsValue>(
        _ key: String,
        _ summary: String,
        default fallback: [Value] = [],
        acceptsOne: Bool = false,
        example: String? = nil,
        validate: (Value) -> String? = { _ in nil }
    ) -> [Value] {
        let option = Self.list(key, summary, Value.self, acceptsOne, example, isRequired: false, fallback: fallback)
        guard let entry = take(option, key: key) else { return fallback }
        // Not the default where something else was meant: it would be taken for what the user wrote.
        return values(entry, acceptsOne, validate) ?? []
    }

    /// Reads values under names of the user's choice, in the order of the file; none where the user wrote nothing.
    public mutating func optionalMap<Value: SettingsValue>(
        _ key: String,
        _ summary: String,
        example: String? = nil,
        validate: (Value) -> String? = { _ in nil }
    ) -> [NamedSetting<Value>] {
        let option = SettingsDescription.Option(
            key: key,
            summary: summary,
            shape: .map(.value(Value.kind, minimum: nil, maximum: nil)),
            isRequired: false,
            example: example
        )
        guard let entry = take(option, key: key), let entries = namedEntries(entry) else { return [] }
        return entries.compactMap { item in
            convert(item.value, named: item.key, usual: nil, validate).map {
                NamedSetting(name: item.key, mark: item.keyMark, value: $0)
            }
        }
    }

    /// The entries of a map of names, with a diagnostic where it is something else.
    mutating func namedEntries(_ entry: ConfigurationNode.Entry) -> [ConfigurationNode.Entry]? {
        if let entries = entry.value.entries { return entries }
        add(.error(at: entry.value.mark, "'\(entry.key)' must be a map of names, not \(entry.value.shape)"))
        return nil
    }

    /// The items of a list, with a diagnostic where it is something else.
    mutating func listItems(_ entry: ConfigurationNode.Entry, acceptsOne: Bool = false) -> [ConfigurationNode]? {
        if let items = entry.value.items { return items }
        if acceptsOne, entry.value.scalar != nil { return [entry.value] }
        add(.error(at: entry.value.mark, "'\(entry.key)' must be a list, not \(entry.value.shape)"))
        return nil
    }

    private mutating func values<Value: SettingsValue>(
        _ entry: ConfigurationNode.Entry,
        _ acceptsOne: Bool,
        _ validate: (Value) -> String?
    ) -> [Value]? {
        listItems(entry, acceptsOne: acceptsOne)?.compactMap { convert($0, named: entry.key, usual: nil, validate) }
    }

    private static func list<Value: SettingsValue>(
        _ key: String,
        _ summary: String,
        _ type: Value.Type,
        _ acceptsOne: Bool,
        _ example: String?,
        isRequired: Bool,
        fallback: [Value]?
    ) -> SettingsDescription.Option {
        let values = fallback.flatMap { $0.isEmpty ? nil : $0.map(\.settingsText).joined(separator: ", ") }
        return SettingsDescription.Option(
            key: key,
            summary: summary,
            shape: .list(.value(Value.kind, minimum: nil, maximum: nil), acceptsOne: acceptsOne),
            isRequired: isRequired,
            fallback: values.map { "[\($0)]" },
            example: example
        )
    }
}
