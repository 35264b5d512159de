// SPDX-License-Identifier: Apache-2.0

extension SettingsReader {
    /// Reads options of their own that must be given.
    public mutating func requiredGroup<Settings: ModuleSettings>(
        _ key: String,
        _ summary: String,
        example: String? = nil
    ) -> Settings {
        let option = option(key, summary, .group(describe(Settings.self)), isRequired: true, example)
        guard let entry = take(option, key: key) else {
            reportMissing(key)
            return standIn()
        }
        return read(entry.value)
    }

    /// Reads options of their own that may be left out.
    public mutating func optionalGroup<Settings: ModuleSettings>(
        _ key: String,
        _ summary: String,
        example: String? = nil
    ) -> Settings? {
        let option = option(key, summary, .group(describe(Settings.self)), example)
        return take(option, key: key).map { read($0.value) }
    }

    /// Reads options of their own that all have defaults: where the user wrote nothing, those count.
    public mutating func group<Settings: ModuleSettings>(
        _ key: String,
        _ summary: String,
        example: String? = nil
    ) -> Settings {
        let option = option(key, summary, .group(describe(Settings.self)), example)
        return take(option, key: key).map { read($0.value) } ?? standIn()
    }

    /// Reads a list of groups that must be given, at least one.
    public mutating func requiredGroups<Settings: ModuleSettings>(
        _ key: String,
        _ summary: String,
        example: String? = nil
    ) -> [Settings] {
        let option = option(
            key,
            summary,
            .list(.group(describe(Settings.self)), acceptsOne: false),
            isRequired: true,
            example
        )
        guard let entry = take(option, key: key) else {
            reportMissing(key)
            return []
        }
        let items = listItems(entry) ?? []
        if entry.value.items?.isEmpty == true { add(.error(at: entry.value.mark, "'\(key)' must not be empty")) }
        return items.map { read($0) }
    }

    /// Reads a list of groups; none where the user wrote nothing.
    public mutating func optionalGroups<Settings: ModuleSettings>(
        _ key: String,
        _ summary: String,
        example: String? = nil
    ) -> [Settings] {
        let option = option(key, summary, .list(.group(describe(Settings.self)), acceptsOne: false), example)
        guard let entry = take(option, key: key) else { return [] }
        return (listItems(entry) ?? []).map { read($0) }
    }

    /// Reads groups under names of the user's choice, in the order of the file; none where the user wrote nothing.
    public mutating func optionalGroupMap<Settings: ModuleSettings>(
        _ key: String,
        _ summary: String,
        example: String? = nil
    ) -> [NamedSetting<Settings>] {
        let option = option(key, summary, .map(.group(describe(Settings.self))), example)
        guard let entry = take(option, key: key) else { return [] }
        return (namedEntries(entry) ?? []).map {
            NamedSetting(name: $0.key, mark: $0.keyMark, value: read($0.value))
        }
    }

    /// Reads an option by code of the caller's, which adds what is wrong to the diagnostics.
    ///
    /// Variables are not filled in; ``SettingsContext/scalar(_:as:)`` does that. The kind and the default are for the
    /// description only.
    public mutating func optional<Value>(
        _ key: String,
        _ summary: String,
        as kind: SettingsKind? = nil,
        defaultText: String? = nil,
        example: String? = nil,
        read: (ConfigurationNode, SettingsContext, inout [Diagnostic]) -> Value?
    ) -> Value? {
        var option = option(key, summary, kind.map { .value($0, minimum: nil, maximum: nil) } ?? .anything, example)
        option.fallback = defaultText
        guard let entry = take(option, key: key) else { return nil }
        var found: [Diagnostic] = []
        let value = read(entry.value, context, &found)
        add(contentsOf: found)
        return value
    }

    /// Takes an entry whose key the user chose, so that it is not unknown; ``givenKeys`` tells the keys.
    public mutating func claim(_ key: String) -> ConfigurationNode.Entry? {
        known.append(key)
        return entries.first { $0.key == key }
    }

    /// Takes a node as it is, for code that reads it later; variables are not filled in.
    public mutating func optionalNode(_ key: String, _ summary: String, example: String? = nil) -> ConfigurationNode? {
        let option = option(key, summary, .anything, example)
        return take(option, key: key)?.value
    }

    // MARK: How

    func option(
        _ key: String,
        _ summary: String,
        _ shape: SettingsDescription.Shape,
        isRequired: Bool = false,
        _ example: String?
    ) -> SettingsDescription.Option {
        SettingsDescription.Option(key: key, summary: summary, shape: shape, isRequired: isRequired, example: example)
    }

    private func describe<Settings: ModuleSettings>(_ type: Settings.Type) -> SettingsDescription {
        guard isDescribing, mayDescend else { return SettingsDescription(options: []) }
        var nested = Self.describing(depth: depth + 1)
        _ = Settings(from: &nested)
        return SettingsDescription(options: nested.described)
    }

    private mutating func read<Settings: ModuleSettings>(_ node: ConfigurationNode) -> Settings {
        var nested = Self(node, context: context, depth: depth + 1)
        let settings = Settings(from: &nested)
        add(contentsOf: nested.finish())
        return settings
    }

    private func standIn<Settings: ModuleSettings>() -> Settings {
        var nested = Self.describing(depth: depth + 1)
        return Settings(from: &nested)
    }
}
