// SPDX-License-Identifier: Apache-2.0

extension SettingsReader {
    /// Reads a value that must be given.
    ///
    /// The summary says in one line what the option means; the example is a value as one would write it. `validate`
    /// returns why a value cannot be used, to go on after the key: `must begin with https://`.
    public mutating func required<Value: SettingsValue>(
        _ key: String,
        _ summary: String,
        example: String? = nil,
        validate: (Value) -> String? = { _ in nil }
    ) -> Value {
        let option = Self.option(key, summary, Value.self, example: example, isRequired: true)
        return value(option, validate) { $0.reportMissing(key) } ?? .placeholder
    }

    /// Reads a value that must be given, within bounds.
    public mutating func required<Value: SettingsValue & Comparable>(
        _ key: String,
        _ summary: String,
        in range: ClosedRange<Value>,
        example: String? = nil
    ) -> Value {
        let option = Self.option(key, summary, range, example: example, isRequired: true)
        return value(option, { Self.problem($0, range) }) { $0.reportMissing(key) } ?? .placeholder
    }

    /// Reads a value that may be left out.
    public mutating func optional<Value: SettingsValue>(
        _ key: String,
        _ summary: String,
        example: String? = nil,
        validate: (Value) -> String? = { _ in nil }
    ) -> Value? {
        value(Self.option(key, summary, Value.self, example: example), validate) { _ in }
    }

    /// Reads a value that may be left out, within bounds.
    public mutating func optional<Value: SettingsValue & Comparable>(
        _ key: String,
        _ summary: String,
        in range: ClosedRange<Value>,
        example: String? = nil
    ) -> Value? {
        let option = Self.option(key, summary, range, example: example)
        return value(option, { Self.problem($0, range) }) { _ in }
    }

    /// Reads a value, or takes the default where the user wrote nothing.
    public mutating func optional<Value: SettingsValue>(
        _ key: String,
        _ summary: String,
        default fallback: Value,
        example: String? = nil,
        validate: (Value) -> String? = { _ in nil }
    ) -> Value {
        let option = Self.option(key, summary, Value.self, example: example, fallback: fallback)
        return value(option, validate) { _ in } ?? fallback
    }

    /// Reads a value within bounds, or takes the default where the user wrote nothing.
    public mutating func optional<Value: SettingsValue & Comparable>(
        _ key: String,
        _ summary: String,
        default fallback: Value,
        in range: ClosedRange<Value>,
        example: String? = nil
    ) -> Value {
        let option = Self.option(key, summary, range, example: example, fallback: fallback)
        return value(option, { Self.problem($0, range) }) { _ in } ?? fallback
    }

    // MARK: How

    private mutating func value<Value: SettingsValue>(
        _ option: SettingsDescription.Option,
        _ validate: (Value) -> String?,
        ifMissing: (inout Self) -> Void
    ) -> Value? {
        guard let entry = take(option, key: option.key) else {
            ifMissing(&self)
            return nil
        }
        return convert(entry.value, named: option.key, usual: option.fallback ?? option.example, validate)
    }

    /// Reads one node as a value; a problem is reported at the node under `name`.
    mutating func convert<Value: SettingsValue>(
        _ node: ConfigurationNode,
        named name: String,
        usual: String?,
        _ validate: (Value) -> String?
    ) -> Value? {
        do throws(SettingsProblem) {
            var scalar = try context.scalar(node, as: Value.kind)
            scalar.usual = usual
            if Value.kind.isSecret { warnOfOpenFiles(node, named: name) }
            let value = try Value(scalar)
            guard let problem = validate(value) else { return value }
            throw SettingsProblem(problem)
        } catch {
            add(.error(at: node.mark, "'\(name)' \(error.message)"))
            return nil
        }
    }

    /// A secret that every user of the machine can read is a doubt.
    private mutating func warnOfOpenFiles(_ node: ConfigurationNode, named name: String) {
        guard let template = try? node.scalar.map({ try Template($0.text) }) else { return }
        for case .file(let written) in template.pieces {
            let path = FilePath(written, in: node.mark.directory)
            guard context.variables.isOpenToAll(path.resolved) else { continue }
            add(.warning(at: node.mark, "'\(name)' \(written) \(FilePath.openToAll)"))
        }
    }

    private static func problem<Value: SettingsValue & Comparable>(
        _ value: Value,
        _ range: ClosedRange<Value>
    ) -> String? {
        if range.contains(value) { return nil }
        let least = range.lowerBound.settingsText
        guard let most = maximum(of: range) else { return "must be at least \(least)" }
        return "must be between \(least) and \(most)"
    }

    /// The upper bound in words, or `nil` where the type ends before the bound does.
    private static func maximum<Value: SettingsValue & Comparable>(of range: ClosedRange<Value>) -> String? {
        range.upperBound as? Int == .max ? nil : range.upperBound.settingsText
    }

    private static func option<Value: SettingsValue>(
        _ key: String,
        _ summary: String,
        _ type: Value.Type,
        example: String?,
        isRequired: Bool = false,
        fallback: Value? = nil
    ) -> SettingsDescription.Option {
        SettingsDescription.Option(
            key: key,
            summary: summary,
            shape: .value(Value.kind, minimum: nil, maximum: nil),
            isRequired: isRequired,
            fallback: fallback?.settingsText,
            example: example
        )
    }

    private static func option<Value: SettingsValue & Comparable>(
        _ key: String,
        _ summary: String,
        _ range: ClosedRange<Value>,
        example: String?,
        isRequired: Bool = false,
        fallback: Value? = nil
    ) -> SettingsDescription.Option {
        var option = option(
            key,
            summary,
            Value.self,
            example: example,
            isRequired: isRequired,
            fallback: fallback
        )
        option.shape = .value(Value.kind, minimum: range.lowerBound.settingsText, maximum: maximum(of: range))
        return option
    }
}
