// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import JSON

/// A pipeline file in JSON Schema (2020-12), from the descriptions that also read and document it.
///
/// It is for editors: whatever it refuses `busd check` refuses too, but not the other way round.
struct PipelineSchema {
    /// The members of a JSON object on their way.
    private typealias Members = [(String, JSONValue)]

    private let registry: Registry

    init(_ registry: Registry) { self.registry = registry }

    var bytes: [UInt8] {
        var writer = JSONWriter(capacity: 64 << 10)
        writer.value(document)
        return writer.bytes
    }

    private var document: JSONValue {
        let head: Members = [
            ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", "A pipeline of busd"),
        ]
        let home: Members = [("patternProperties", ["^x-": true])]
        let variable: JSONValue = [
            "type": "string", "pattern": #"\$\{"#, "description": "A variable fills it in when the file is read.",
        ]
        let object = group(SettingsDescription(of: PipelineFile.self)) { option in
            Registry.Role.allCases.first { $0.section == option.key }.map(items)
        }
        return JSONValue(
            members: head + object + home + [("$defs", ["variable": variable, "condition": ConditionSchema.document])]
        )
    }

    // MARK: Items

    /// The items of a role: what every item takes, and exactly one module.
    private func items(_ role: Registry.Role) -> JSONValue {
        let modules = registry.modules(role).filter { $0.options != nil }
        let own = SettingsDescription(of: PipelineItem.self).options.map { option in
            (option.key, option.key == "when" ? ["$ref": "#/$defs/condition"] : property(option))
        }
        let options = modules.map { module in
            let about: Members = [("description", .string(module.summary))]
            return (module.name, JSONValue(members: group(module.options ?? SettingsDescription(options: [])) + about))
        }
        let item: JSONValue = [
            "type": "object", "properties": JSONValue(members: own + options), "additionalProperties": false,
            "oneOf": .array(modules.map { ["required": [.string($0.name)]] }),
        ]
        return ["type": "array", "items": item]
    }

    // MARK: Options

    private func group(
        _ description: SettingsDescription,
        special: (SettingsDescription.Option) -> JSONValue? = { _ in nil }
    ) -> Members {
        let required = description.options.filter(\.isRequired).map { JSONValue.string($0.key) }
        let properties = description.options.map { ($0.key, special($0) ?? property($0)) }
        // Where nothing is required, `validate:` with nothing below it means the defaults.
        return [("type", required.isEmpty ? ["object", "null"] : "object")]
            + (required.isEmpty ? [] : [("required", .array(required))])
            + [("properties", JSONValue(members: properties)), ("additionalProperties", false)]
    }

    private func property(_ option: SettingsDescription.Option) -> JSONValue {
        let fallback = option.fallback.map { " Default: \($0)." } ?? ""
        let about: Members = [("description", .string(option.summary + fallback))]
        return JSONValue(members: keywords(option.shape) + about)
    }

    private func keywords(_ shape: SettingsDescription.Shape) -> Members {
        switch shape {
        case .value(let kind, let minimum, let maximum): return value(kind, minimum, maximum)
        case .list(let element, let acceptsOne):
            let item = JSONValue(members: keywords(element))
            let list: JSONValue = ["type": "array", "items": item]
            return acceptsOne ? [("anyOf", [item, list])] : [("type", "array"), ("items", item)]
        case .map(let element):
            return [("type", "object"), ("additionalProperties", JSONValue(members: keywords(element)))]
        case .group(let inner): return group(inner)
        case .choice(let inner):
            var inner = inner
            for index in inner.options.indices { inner.options[index].isRequired = false }
            return [("type", "object")] + group(inner).dropFirst() + [("minProperties", 1), ("maxProperties", 1)]
        case .anything: return []
        }
    }

    /// A single value, or a variable in its place.
    private func value(_ kind: SettingsKind, _ minimum: String?, _ maximum: String?) -> Members {
        let variable: JSONValue = ["$ref": "#/$defs/variable"]
        if !kind.choices.isEmpty { return [("anyOf", [["enum": .array(kind.choices.map { .string($0) })], variable])] }
        if let pattern = kind.pattern {
            return [("anyOf", [["type": "string", "pattern": .string(pattern)], variable])]
        }
        switch kind.jsonType {
        // YAML takes 1234 for a number, and where a text is wanted it is one.
        case .string: return [("type", ["string", "number", "boolean"])]
        case .boolean: return [("anyOf", [["type": "boolean"], variable])]
        case .integer:
            let low: Members = minimum.flatMap { Int64($0) }.map { [("minimum", .integer($0))] } ?? []
            let high: Members = maximum.flatMap { Int64($0) }.map { [("maximum", .integer($0))] } ?? []
            return [("anyOf", [JSONValue(members: [("type", "integer")] + low + high), variable])]
        }
    }
}
