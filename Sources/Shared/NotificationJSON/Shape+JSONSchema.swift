// SPDX-License-Identifier: Apache-2.0

package import JSON
import Unicode

extension Shape {
    /// The same in JSON Schema 2020-12, as OpenAPI 3.1 has it; objects with a name are referred to.
    package var jsonSchema: JSONValue { JSONValue(members: schemaMembers(orNull: false)) }

    /// Every object with a name in this shape, each once.
    package func collectNamed(_ found: inout [ObjectShape]) {
        switch self {
        case .list(let item, _), .map(let item): item.collectNamed(&found)
        case .object(let object): object.collectNamed(&found)
        case .variants(_, let objects): for object in objects { object.collectNamed(&found) }
        case .identifier, .text, .moment, .word, .integer, .boolean: break
        }
    }

    /// The keywords; a member that may be left out takes `null` as well.
    fileprivate func schemaMembers(orNull: Bool) -> [(String, JSONValue)] {
        switch self {
        case .object(let object) where orNull || object.name != nil:
            return orNull ? [("anyOf", [object.reference, ["type": "null"]])] : [("$ref", object.path)]
        case .object(let object): return object.schemaMembers
        case .variants(_, let objects): return [("oneOf", .array(objects.map(\.reference)))]
        case .word(let words): return Self.words(words, orNull)
        default: return [("type", orNull ? [.string(type), "null"] : .string(type))] + bounds
        }
    }

    private var type: String {
        switch self {
        case .identifier, .text, .moment, .word: "string"
        case .integer: "integer"
        case .boolean: "boolean"
        case .list: "array"
        case .map, .object, .variants: "object"
        }
    }

    private var bounds: [(String, JSONValue)] {
        switch self {
        case .identifier(let longest):
            return [("minLength", 1), ("maxLength", .integer(Int64(longest))), ("pattern", .string(Self.named))]
        case .text(let longest, let mayBeEmpty):
            let least: [(String, JSONValue)] = mayBeEmpty ? [] : [("minLength", 1)]
            let most: [(String, JSONValue)] = longest.map { [("maxLength", .integer(Int64($0)))] } ?? []
            return least + most + [("pattern", .string(Self.withoutNUL))]
        case .moment: return [("format", "date-time")]
        case .integer(let range):
            return [("minimum", .integer(range.lowerBound)), ("maximum", .integer(range.upperBound))]
        case .list(let item, let least):
            let minimum: [(String, JSONValue)] = least > 0 ? [("minItems", .integer(Int64(least)))] : []
            return [("items", item.jsonSchema)] + minimum
        case .map(let item): return [("additionalProperties", item.jsonSchema)]
        case .word, .boolean, .object, .variants: return []
        }
    }

    private static func words(_ words: [String], _ orNull: Bool) -> [(String, JSONValue)] {
        [("enum", .array(words.map { .string($0) } + (orNull ? [.null] : [])))]
    }

    /// No text holds U+0000: much software would cut there.
    private static let withoutNUL = #"^[^\u0000]*$"#
    /// The same, with something in it besides what trimming removes.
    private static let named = #"^[^\u0000]*[^\u0000"# + trimmedCharacters + #"][^\u0000]*$"#
}

extension ObjectShape {
    fileprivate var path: JSONValue { .string("#/components/schemas/\(name ?? "")") }

    fileprivate var reference: JSONValue { name == nil ? JSONValue(members: schemaMembers) : ["$ref": path] }

    /// The whole of it, for the document's list of schemas or where it stands.
    package var schemaMembers: [(String, JSONValue)] {
        let required = members.filter(\.isRequired).map { JSONValue.string($0.name) }
        let properties = members.map { member in
            let about: [(String, JSONValue)] = member.summary.isEmpty ? [] : [("description", .string(member.summary))]
            let examples: [(String, JSONValue)] = member.example.map { [("examples", [$0])] } ?? []
            let keywords = member.shape.schemaMembers(orNull: !member.isRequired)
            return (member.name, JSONValue(members: keywords + about + examples))
        }
        return [("type", "object")] + (required.isEmpty ? [] : [("required", .array(required))])
            + [("properties", JSONValue(members: properties))] + (isOpen ? [] : [("additionalProperties", false)])
    }

    fileprivate func collectNamed(_ found: inout [ObjectShape]) {
        if let name {
            if found.contains(where: { $0.name == name }) { return }
            found.append(self)
        }
        for member in members { member.shape.collectNamed(&found) }
    }
}
