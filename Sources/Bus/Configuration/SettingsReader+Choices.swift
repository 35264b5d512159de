// SPDX-License-Identifier: Apache-2.0

/// One of the ways to fill an option of which exactly one must be taken.
public struct SettingsAlternative<Result> {
    let key: String
    let read: (inout SettingsReader) -> Result

    /// Creates an alternative.
    ///
    /// - Parameters:
    ///   - key: the key that takes it.
    ///   - read: reads exactly that key, as a required option.
    public init(_ key: String, read: @escaping (inout SettingsReader) -> Result) {
        self.key = key
        self.read = read
    }
}

extension SettingsReader {
    /// Reads an option that must be given, as exactly one of several alternatives.
    ///
    /// - Returns: `nil`, with a diagnostic, where none or several were given.
    public mutating func requiredChoice<Result>(
        _ key: String,
        _ summary: String,
        of alternatives: [SettingsAlternative<Result>],
        example: String? = nil
    ) -> Result? {
        let option = option(key, summary, .choice(describe(alternatives)), isRequired: true, example)
        guard let entry = take(option, key: key) else {
            reportMissing(key)
            return nil
        }
        return choose(entry, alternatives)
    }

    /// Reads an option that may be left out, as exactly one of several alternatives.
    ///
    /// ```swift
    /// auth = reader.optionalChoice("auth", "How the bank proves who it is.", of: [
    ///     SettingsAlternative("basic") { .basic($0.requiredGroup("basic", "A user name and a password.")) },
    ///     SettingsAlternative("bearer") { .bearer($0.requiredList("bearer", "The tokens that are accepted.")) },
    /// ])
    /// ```
    public mutating func optionalChoice<Result>(
        _ key: String,
        _ summary: String,
        of alternatives: [SettingsAlternative<Result>],
        example: String? = nil
    ) -> Result? {
        let option = option(key, summary, .choice(describe(alternatives)), example)
        guard let entry = take(option, key: key) else { return nil }
        return choose(entry, alternatives)
    }

    private func describe<Result>(_ alternatives: [SettingsAlternative<Result>]) -> SettingsDescription {
        guard isDescribing, mayDescend else { return SettingsDescription(options: []) }
        var nested = Self.describing(depth: depth + 1)
        for alternative in alternatives { _ = alternative.read(&nested) }
        return SettingsDescription(options: nested.described)
    }

    private mutating func choose<Result>(
        _ entry: ConfigurationNode.Entry,
        _ alternatives: [SettingsAlternative<Result>]
    ) -> Result? {
        let names = alternatives.map(\.key)
        guard let entries = entry.value.entries, !entries.isEmpty else {
            let found = entry.value.entries == nil ? entry.value.shape : "an empty map"
            add(.error(at: entry.value.mark, "'\(entry.key)' must be a map with one of \(list(names)), not \(found)"))
            return nil
        }
        let given = entries.filter { names.contains($0.key) }
        guard let first = given.first, let taken = alternatives.first(where: { $0.key == first.key }) else {
            for other in entries { add(.error(at: other.keyMark, unknownAlternative(other.key, entry.key, names))) }
            return nil
        }
        for second in given.dropFirst() {
            let message = "'\(entry.key)' takes exactly one of \(list(names)); '\(first.key)' is given already"
            add(.error(at: second.keyMark, message))
        }
        for other in entries where !names.contains(other.key) {
            add(.error(at: other.keyMark, unknownAlternative(other.key, entry.key, names)))
        }
        let only = ConfigurationNode(.map([first]), at: entry.value.mark, owner: entry.value.owner)
        var nested = Self(only, context: context, depth: depth + 1)
        let result = taken.read(&nested)
        add(contentsOf: nested.finish())
        return result
    }

    private func unknownAlternative(_ key: String, _ option: String, _ names: [String]) -> String {
        if let close = Suggestion.closest(to: key, in: names) {
            return "unknown key '\(key)'; did you mean '\(close)'?"
        }
        return "unknown key '\(key)'; '\(option)' takes one of \(list(names))"
    }

    private func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
}
