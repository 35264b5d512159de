// SPDX-License-Identifier: Apache-2.0

public import Bus

extension Condition {
    /// Reads the map below `when`; several keys in one map must all hold.
    ///
    /// - Returns: `nil`, with diagnostics, where something in it is wrong.
    public static func read(
        _ node: ConfigurationNode,
        context: SettingsContext,
        diagnostics: inout [Diagnostic]
    ) -> Condition? {
        var reading = ConditionReading(context: context)
        let condition = reading.condition(node, named: "when")
        diagnostics += reading.diagnostics
        return reading.diagnostics.hasErrors ? nil : condition
    }
}

/// One run over a condition, which gathers what is wrong.
private struct ConditionReading {
    private static let keys = ["type", "platform", "segment", "app", "priority", "tag", "any", "all", "not"]

    let context: SettingsContext
    var diagnostics: [Diagnostic] = []

    mutating func condition(_ node: ConfigurationNode, named name: String) -> Condition {
        guard let entries = node.entries, !entries.isEmpty else {
            let found = node.entries == nil ? node.shape : "an empty map"
            report(node, "'\(name)' must be a map of conditions, not \(found)")
            return .all([])
        }
        let parts = entries.compactMap { part($0) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func part(_ entry: ConfigurationNode.Entry) -> Condition? {
        let node = entry.value
        switch entry.key {
        case "type": return .type(names(node, "type", NotificationType.allCases))
        case "platform": return .platform(names(node, "platform", Platform.allCases))
        case "segment": return .segment(texts(node, "segment"))
        case "app": return .app(texts(node, "app"))
        case "priority": return .priority(values(node, "priority", ConditionReading.priority))
        case "tag": return .tag(tags(node))
        case "any": return .any(conditions(node, "any"))
        case "all": return .all(conditions(node, "all"))
        case "not": return .not(condition(node, named: "not"))
        default:
            let advice = Suggestion.clause(for: entry.key, in: Self.keys)
            let known = advice.isEmpty ? "; known here: \(Self.keys.joined(separator: ", "))" : advice
            diagnostics.append(.error(at: entry.keyMark, "unknown condition '\(entry.key)'\(known)"))
            return nil
        }
    }

    private mutating func conditions(_ node: ConfigurationNode, _ name: String) -> [Condition] {
        guard let items = node.items, !items.isEmpty else {
            let found = node.items == nil ? node.shape : "an empty one"
            report(node, "'\(name)' must be a list of conditions, not \(found)")
            return []
        }
        return items.map { condition($0, named: name) }
    }

    private mutating func tags(_ node: ConfigurationNode) -> [Condition.TagTest] {
        guard let entries = node.entries else { return texts(node, "tag").map { .named($0) } }
        if entries.isEmpty { report(node, "'tag' must not be an empty map, which nothing matches") }
        return entries.flatMap { entry in
            values(entry.value, entry.key) { (scalar) throws(SettingsProblem) -> Condition.TagTest in
                if let first = scalar.text.first, "<>".contains(first) {
                    return .number(name: entry.key, try Self.number(scalar))
                }
                return .text(name: entry.key, [scalar.text])
            }
        }
    }

    private mutating func texts(_ node: ConfigurationNode, _ name: String) -> [String] {
        values(node, name) { (scalar) throws(SettingsProblem) in scalar.text }
    }

    private mutating func names<Name: RawRepresentable<String>>(
        _ node: ConfigurationNode,
        _ name: String,
        _ all: [Name]
    ) -> [Name] {
        values(node, name) { (scalar) throws(SettingsProblem) -> Name in
            if let value = Name(rawValue: scalar.text) { return value }
            let known = all.map(\.rawValue)
            let advice = scalar.isFromVariable ? "" : Suggestion.clause(for: scalar.text, in: known)
            throw SettingsProblem("must be one of \(known.joined(separator: ", ")), not \(scalar.quoted)\(advice)")
        }
    }

    /// A value, or a list of which any may fit.
    private mutating func values<Value>(
        _ node: ConfigurationNode,
        _ name: String,
        _ convert: (SettingsScalar) throws(SettingsProblem) -> Value
    ) -> [Value] {
        if node.items?.isEmpty == true { report(node, "'\(name)' must not be an empty list, which nothing matches") }
        var values: [Value] = []
        for item in node.items ?? [node] {
            do throws(SettingsProblem) { values.append(try convert(context.scalar(item))) } catch {
                report(item, "'\(name)' \(error.message)")
            }
        }
        return values
    }

    private static func priority(_ scalar: SettingsScalar) throws(SettingsProblem) -> Condition.NumberTest {
        let test = try number(scalar)
        if ConditionDomain.priorities.contains(where: test.passes) { return test }
        throw SettingsProblem("never holds for \(scalar.quoted): priorities are 0 to 10")
    }

    private static func number(_ scalar: SettingsScalar) throws(SettingsProblem) -> Condition.NumberTest {
        let operators: [(String, (Int) -> Condition.NumberTest)] = [
            (">=", { .atLeast($0) }), ("<=", { .atMost($0) }), (">", { .above($0) }), ("<", { .below($0) }),
        ]
        for (sign, test) in operators where scalar.text.hasPrefix(sign) {
            let digits = scalar.text.dropFirst(sign.count).drop { $0 == " " }
            guard let bound = Int(digits) else { break }
            return test(bound)
        }
        guard let number = Int(scalar.text) else {
            throw SettingsProblem("must be a whole number or a comparison like \">=5\", not \(scalar.quoted)")
        }
        return .equal(number)
    }

    private mutating func report(_ node: ConfigurationNode, _ message: String) {
        diagnostics.append(.error(at: node.mark, message))
    }
}
