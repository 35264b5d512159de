// SPDX-License-Identifier: Apache-2.0

/// A field of a request that is not as it must be.
public struct JSONProblem: Equatable, Sendable {
    /// Where: `pushDetails.tags[0].key`, or empty for the whole text.
    public let path: String
    /// What is wrong, as the end of a sentence that begins with the field: "is missing", "must be a string".
    public let message: String
}

/// Reads the members of an object and collects every problem with its path, so that a caller hears all at once.
///
/// A missing, `null` or wrong member gives `nil`; ``problems`` says whether what was read may be used.
public struct JSONFields {
    /// What was wrong so far, in the order of reading.
    public private(set) var problems: [JSONProblem] = []
    private let object: JSONObject
    private let isObject: Bool
    private let path: String
    private var known: Set<String> = []

    /// Begins with the outermost value, which must be an object.
    public init(_ root: JSONValue) { self.init(root, path: "") }

    private init(_ value: JSONValue, path: String) {
        self.path = path
        object = value.object ?? JSONObject([])
        isObject = value.object != nil
        if !isObject { problems = [JSONProblem(path: path, message: "must be an object, not \(value.kind)")] }
    }

    /// Reads a string.
    public mutating func string(_ key: String, required: Bool = false) -> String? {
        read(key, required, "a string", \.string)
    }

    private static let wholeNumber = "a whole number"

    /// Reads a whole number within bounds.
    public mutating func integer(
        _ key: String,
        in range: ClosedRange<Int64> = Int64.min...Int64.max,
        required: Bool = false
    ) -> Int64? {
        guard let number = read(key, required, Self.wholeNumber, \.integer) else { return nil }
        guard range.contains(number) else {
            problem(key, "must be \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    /// Reads a boolean.
    public mutating func bool(_ key: String, required: Bool = false) -> Bool? {
        read(key, required, "true or false", \.bool)
    }

    /// Reads an object's members with `body`.
    public mutating func object<Result>(
        _ key: String,
        required: Bool = false,
        _ body: (inout JSONFields) -> Result
    ) -> Result? {
        guard let value = read(key, required, "an object", { $0.object == nil ? nil : $0 }) else { return nil }
        return nested(value, path(key), body)
    }

    /// Reads a list of objects, each with `body`.
    public mutating func objects<Result>(
        _ key: String,
        required: Bool = false,
        _ body: (inout JSONFields) -> Result
    ) -> [Result]? {
        guard let list = read(key, required, "a list", \.array) else { return nil }
        return list.enumerated().map { nested($1, "\(path(key))[\($0)]", body) }
    }

    /// Reads a list of strings.
    public mutating func strings(_ key: String, required: Bool = false) -> [String]? {
        guard let list = read(key, required, "a list", \.array) else { return nil }
        return list.enumerated().compactMap { index, value in
            if value.string == nil { problem("\(key)[\(index)]", "must be a string, not \(value.kind)") }
            return value.string
        }
    }

    /// Notes a problem that the caller found in a member.
    public mutating func problem(_ key: String, _ message: String) {
        problems.append(JSONProblem(path: path(key), message: message))
    }

    /// Notes every member that nobody has read as unknown; call it last.
    public mutating func refuseUnknown() {
        for member in object.members where !known.contains(member.key) { problem(member.key, "is not known here") }
    }

    /// What stands in the place of something else: that 1.5 is a number says nothing where a whole one is wanted.
    private func found(_ value: JSONValue, _ wanted: String) -> String {
        if case .number(let number) = value, wanted == Self.wholeNumber, number != number.rounded() {
            return "a fraction"
        }
        return value.kind
    }

    private mutating func read<Value>(
        _ key: String,
        _ required: Bool,
        _ wanted: String,
        _ convert: (JSONValue) -> Value?
    ) -> Value? {
        known.insert(key)
        let value = object[key] ?? .null
        if value == .null {
            if required, isObject { problem(key, "is missing") }
            return nil
        }
        let converted = convert(value)
        if converted == nil { problem(key, "must be \(wanted), not \(found(value, wanted))") }
        return converted
    }

    private mutating func nested<Result>(
        _ value: JSONValue,
        _ path: String,
        _ body: (inout JSONFields) -> Result
    ) -> Result {
        var fields = JSONFields(value, path: path)
        let result = body(&fields)
        problems += fields.problems
        return result
    }

    private func path(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}
