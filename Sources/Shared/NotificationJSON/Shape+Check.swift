// SPDX-License-Identifier: Apache-2.0

package import Bus
package import JSON
import Unicode

extension Shape {
    /// Everything in a value that is not as it must be, with its path.
    package func problems(in value: JSONValue) -> [Refusal.Field] {
        var found: [Refusal.Field] = []
        check(value, at: "", &found)
        return found
    }

    fileprivate func check(_ value: JSONValue, at path: String, _ found: inout [Refusal.Field]) {
        // A body may hold a hundred thousand faults; who sees the first hundred has seen enough.
        guard found.count < 100 else { return }
        switch self {
        case .list(let item, let least):
            guard let items = value.array else { return found.add(path, wrongKind(value)) }
            if items.count < least { found.add(path, "must not be empty") }
            for (index, element) in items.enumerated() { item.check(element, at: "\(path)[\(index)]", &found) }
        case .map(let item):
            guard let object = value.object else { return found.add(path, wrongKind(value)) }
            for member in object.members { item.check(member.value, at: path.member(member.key), &found) }
        case .object(let shape): shape.check(value, at: path, &found)
        case .variants(let key, let shapes):
            let chosen = shapes.first { $0[key]?.shape.takes(value[key]) == true }
            (chosen ?? Self.union(key, shapes)).check(value, at: path, &found)
        case .identifier, .text, .moment, .word, .integer, .boolean:
            if let problem = problem(value) { found.add(path, problem) }
        }
    }

    private func problem(_ value: JSONValue) -> String? {
        switch self {
        case .identifier(let longest):
            guard let text = value.string else { return wrongKind(value) }
            return trimmed(text).isEmpty ? "must not be empty" : Self.problem(text, longest)
        case .text(let longest, let mayBeEmpty):
            guard let text = value.string else { return wrongKind(value) }
            return text.isEmpty && !mayBeEmpty ? "must not be empty" : Self.problem(text, longest)
        case .moment: return value.string == nil ? wrongKind(value) : nil
        case .word(let words):
            guard let text = value.string else { return wrongKind(value) }
            return takes(.string(text)) ? nil : "must be one of \(words.joined(separator: ", "))"
        case .integer(let range):
            if let number = value.wholeNumber, range.contains(number) { return nil }
            guard let number = value.number else { return wrongKind(value) }
            // "a whole number, not a number" would be no news of 1.5.
            let isWhole = number == number.rounded()
            return isWhole
                ? "must be \(range.lowerBound) to \(range.upperBound)" : "must be a whole number, not a fraction"
        case .boolean: return value.bool == nil ? wrongKind(value) : nil
        case .list, .map, .object, .variants: return nil
        }
    }

    private static func problem(_ text: String, _ longest: Int?) -> String? {
        guard let longest, text.utf8.count > longest else { return nil }
        return "must have at most \(longest) bytes"
    }

    private func takes(_ value: JSONValue?) -> Bool {
        guard case .word(let words) = self, let text = value?.string else { return false }
        return words.contains { $0.utf8.elementsEqual(text.utf8) }
    }

    private func wrongKind(_ value: JSONValue) -> String {
        let wanted =
            switch self {
            case .identifier, .text, .moment, .word: "a string"
            case .integer: "a whole number"
            case .boolean: "true or false"
            case .list: "a list"
            case .map, .object, .variants: "an object"
            }
        return "must be \(wanted), not \(value.kind)"
    }

    /// What to hold a value against whose telling member tells nothing: the first variant, with all words allowed.
    private static func union(_ key: String, _ shapes: [ObjectShape]) -> ObjectShape {
        let words = shapes.flatMap { shape -> [String] in
            if case .word(let words) = shape[key]?.shape { words } else { [] }
        }
        guard let first = shapes.first else { return ObjectShape(nil, []) }
        return first.replacing(.required(key, .word(words), ""))
    }
}

extension ObjectShape {
    fileprivate func check(_ value: JSONValue, at path: String, _ found: inout [Refusal.Field]) {
        guard let object = value.object else {
            return found.add(path, "must be an object, not \(value.kind)")
        }
        for member in members {
            let given = object[member.name] ?? .null
            if given != .null {
                member.shape.check(given, at: path.member(member.name), &found)
            } else if member.isRequired {
                found.add(path.member(member.name), "is missing")
            }
        }
        if isOpen { return }
        for member in object.members where self[member.key] == nil {
            found.add(path.member(member.key), "is not known here")
        }
    }
}

extension JSONValue {
    /// A whole number, however it is written: to JSON Schema `5.0` is one.
    package var wholeNumber: Int64? { integer ?? number.flatMap { Int64(exactly: $0) } }
}

extension String {
    fileprivate func member(_ key: String) -> String { isEmpty ? key : "\(self).\(key)" }
}

extension [Refusal.Field] {
    fileprivate mutating func add(_ path: String, _ message: String) {
        append(Refusal.Field(path: path, message: message))
    }
}
