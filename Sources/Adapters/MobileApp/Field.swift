// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import JSON
import Unicode

/// The rules for what apps send.
enum Field {
    /// The most bytes of an id: of users, of devices, of apps, of a bank's clients.
    static let longestID = 255
    /// The most bytes of a version, a language or a tag.
    static let longestWord = 255
    /// The most characters of a phone number as people write it.
    static let longestPhone = 40
    /// The most bytes of a code.
    static let longestCode = 64
    /// The most parameters of an event.
    static let mostParameters = 50
    /// The most bytes of an event's parameter.
    static let longestParameter = 1_000
    /// The most tags of a device.
    static let mostTags = 100

    static func trim(_ text: String) -> String { trimmed(text) }

    /// Why an id cannot be one, or `nil`.
    static func problem(id: String) -> String? {
        if id.isEmpty { return "must not be empty" }
        return id.utf8.count <= longestID ? nil : "must have at most \(longestID) bytes"
    }

    /// Why a text cannot be a phone number, or `nil`.
    static func problem(phone: String) -> String? {
        let isPlain = phone.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-() .".utf8.contains(byte)
        }
        let digits = phone.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isPlain, phone.utf8.count <= longestPhone, (3...15).contains(digits) else {
            return "must be a phone number of 3 to 15 digits"
        }
        return nil
    }

    /// The digits in hex of a token that Apple's systems gave out as bytes and the app sent in Base64.
    static func hexToken(base64 token: String) -> String? {
        let text = trim(token)
        // What failed clients send in place of a token happens to be Base64.
        if ["null", "nil"].contains(text) { return nil }
        guard let bytes = Base64.decode(text) ?? Base64.decode(text, .url), !bytes.isEmpty else { return nil }
        return Hex.encode(bytes)
    }
}

/// How a token is written.
enum TokenEncoding: String, CaseIterable {
    case hex, base64
}

extension JSONFields {
    /// Reads an id: trimmed, not empty, bounded.
    mutating func id(_ key: String, required: Bool = true) -> String? {
        guard let id = string(key, required: required).map(Field.trim) else { return nil }
        if !required, id.isEmpty { return nil }
        guard let found = Field.problem(id: id) else { return id }
        problem(key, found)
        return nil
    }

    /// Reads a short text that may be left out; one of blanks counts as left out.
    mutating func word(_ key: String) -> String? {
        guard let word = string(key).map(Field.trim), !word.isEmpty else { return nil }
        guard word.utf8.count > Field.longestWord else { return word }
        problem(key, "must have at most \(Field.longestWord) bytes")
        return nil
    }

    /// Reads one of the names of a type.
    mutating func name<Name: RawRepresentable & CaseIterable>(
        _ key: String,
        of type: Name.Type,
        required: Bool = false
    ) -> Name? where Name.RawValue == String {
        guard let text = string(key, required: required) else { return nil }
        if let name = Name(rawValue: text) { return name }
        problem(key, "must be \(Name.allCases.map(\.rawValue).joined(separator: " or "))")
        return nil
    }

    /// Reads the code that a user typed.
    mutating func code(_ key: String) -> String? {
        guard let code = string(key, required: true).map(Field.trim) else { return nil }
        if (1...Field.longestCode).contains(code.utf8.count) { return code }
        problem(key, "must have 1 to \(Field.longestCode) bytes")
        return nil
    }

    /// Reads an object of single values, which are kept as texts.
    mutating func parameters(_ key: String, of body: JSONValue) -> [String: String] {
        // The member is read twice: as an object for its form, and from the body for its names.
        _ = object(key) { _ in }
        guard let members = body[key]?.object?.members else { return [:] }
        if members.count > Field.mostParameters { problem(key, "must be at most \(Field.mostParameters)") }
        var parameters: [String: String] = [:]
        for member in members.prefix(Field.mostParameters) {
            guard let text = member.value.parameter, text.utf8.count <= Field.longestParameter else {
                problem("\(key).\(member.key)", "must be a text, a number or a boolean of moderate length")
                continue
            }
            parameters[member.key] = text
        }
        return parameters
    }

    /// Reads a phone number that may be left out.
    mutating func phone(_ key: String) -> String? {
        guard let phone = word(key) else { return nil }
        guard let found = Field.problem(phone: phone) else { return phone }
        problem(key, found)
        return nil
    }

    /// Reads labels, each once, in their order.
    mutating func tags(_ key: String) -> [String] {
        guard let texts = strings(key) else { return [] }
        guard texts.count <= Field.mostTags else {
            problem(key, "must be at most \(Field.mostTags)")
            return []
        }
        var tags: [String] = []
        for (index, tag) in texts.map(Field.trim).enumerated() {
            if tag.isEmpty || tag.utf8.count > Field.longestWord {
                problem("\(key)[\(index)]", "must have 1 to \(Field.longestWord) bytes")
            } else if !tags.contains(where: { $0.utf8.elementsEqual(tag.utf8) }) {
                tags.append(tag)
            }
        }
        return tags
    }

    /// Reads a token as the app sent it, brought to hex where it came in Base64.
    mutating func token(_ key: String, for platform: Platform?) -> String? {
        let encoding = name("tokenEncoding", of: TokenEncoding.self)
        guard let token = string(key, required: true) else { return nil }
        guard encoding == .base64 else { return token }
        if platform == .android {
            problem("tokenEncoding", "must not be base64 where the platform is ANDROID: its tokens are text")
            return nil
        }
        guard let digits = Field.hexToken(base64: token) else {
            problem(key, "must be Base64")
            return nil
        }
        return digits
    }

    /// The problems as a refusal names them.
    var refusedFields: [Refusal.Field] { problems.map { Refusal.Field(path: $0.path, message: $0.message) } }
}

extension JSONValue {
    /// A single value as text.
    fileprivate var parameter: String? {
        switch self {
        case .bool(let value): "\(value)"
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .string(let text): text
        case .null: ""
        case .array, .object: nil
        }
    }
}
