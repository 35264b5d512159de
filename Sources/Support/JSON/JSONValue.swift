// SPDX-License-Identifier: Apache-2.0

/// A JSON value.
public enum JSONValue: Equatable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number written without fraction and exponent.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A text; never holds U+0000.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Members in the order of the text.
    case object(JSONObject)

    /// The member of an object; `nil` for an unknown key and for what is no object.
    public subscript(key: String) -> JSONValue? {
        if case .object(let object) = self { return object[key] }
        return nil
    }

    /// The text of a string.
    public var string: String? {
        if case .string(let text) = self { return text }
        return nil
    }

    /// The value of an integer.
    public var integer: Int64? {
        if case .integer(let number) = self { return number }
        return nil
    }

    /// The value of a boolean.
    public var bool: Bool? {
        if case .bool(let value) = self { return value }
        return nil
    }

    /// The value of any number.
    public var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// The elements of a list.
    public var array: [JSONValue]? {
        if case .array(let elements) = self { return elements }
        return nil
    }

    /// The members of an object.
    public var object: JSONObject? {
        if case .object(let object) = self { return object }
        return nil
    }

    /// What the value is, for messages: "a string", "null".
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

/// The members of a JSON object, in order; no key occurs twice.
public struct JSONObject: Equatable, Sendable {
    /// One member.
    public struct Member: Equatable, Sendable {
        /// Its key.
        public let key: String
        /// Its value.
        public let value: JSONValue

        /// Makes a member.
        public init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }

        /// Compares keys byte by byte, as JSON does, not by canonical equivalence.
        public static func == (left: Self, right: Self) -> Bool {
            left.key.utf8.elementsEqual(right.key.utf8) && left.value == right.value
        }
    }

    /// All members.
    public let members: [Member]

    /// Makes an object of members whose keys differ.
    public init(_ members: [Member]) { self.members = members }

    /// The value of a key, found by walking the members: objects here are small.
    public subscript(key: String) -> JSONValue? {
        members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }
}
