// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON

/// What `when` takes, in JSON Schema.
enum ConditionSchema {
    /// A map of tests, of which all must hold; it holds itself under `any`, `all` and `not`.
    static var document: JSONValue {
        let own: JSONValue = ["$ref": "#/$defs/condition"]
        let conditions: JSONValue = ["type": "array", "items": own, "minItems": 1]
        let text: JSONValue = ["type": ["string", "number", "boolean"]]
        return [
            "type": "object", "minProperties": 1, "additionalProperties": false,
            "description": "For which messages the item is used.",
            "properties": [
                "type": oneOrMore(names(NotificationType.allCases.map(\.rawValue))),
                "platform": oneOrMore(names(Platform.allCases.map(\.rawValue))), "segment": oneOrMore(text),
                "app": oneOrMore(text), "priority": oneOrMore(priority), "tag": tag(text), "any": conditions,
                "all": conditions, "not": own,
            ],
        ]
    }

    /// Names of tags that must be there, or a map of names to the values that they may have.
    private static func tag(_ text: JSONValue) -> JSONValue {
        let values: JSONValue = ["type": "object", "minProperties": 1, "additionalProperties": oneOrMore(text)]
        return ["anyOf": [text, ["type": "array", "items": text, "minItems": 1], values]]
    }

    private static var priority: JSONValue {
        [
            "anyOf": [
                ["type": "integer", "minimum": 0, "maximum": 10], ["type": "string", "pattern": .string(pattern)],
            ]
        ]
    }

    /// A number, a comparison with one, or a variable that brings either.
    private static let pattern = #"^([<>]=? *-?[0-9]+|[0-9]+|.*\$\{.*)$"#

    private static func names(_ names: [String]) -> JSONValue {
        ["anyOf": [["enum": .array(names.map { .string($0) })], ["$ref": "#/$defs/variable"]]]
    }

    private static func oneOrMore(_ value: JSONValue) -> JSONValue {
        ["anyOf": [value, ["type": "array", "items": value, "minItems": 1]]]
    }
}
