// SPDX-License-Identifier: Apache-2.0

extension JSONValue: ExpressibleByStringLiteral {
    /// A text.
    public init(stringLiteral text: String) { self = .string(text) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    /// A whole number.
    public init(integerLiteral number: Int64) { self = .integer(number) }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    /// A list.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Members in the order they are written; no key may be written twice.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(JSONObject(members.map { JSONObject.Member($0, $1) }))
    }
}

extension JSONValue {
    /// Members in order.
    public init(members: [(String, JSONValue)]) { self = .object(JSONObject(members.map { .init($0, $1) })) }
}
