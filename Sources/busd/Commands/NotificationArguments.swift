// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import JSON

/// The notification that a command line describes, as the body of a request; the bus checks it.
enum NotificationArguments {
    static func body(_ arguments: inout Arguments) throws(UsageError) -> JSONValue {
        var users: [JSONValue] = []
        while let user = try arguments.option("--to") { users.append(.string(user)) }
        if users.isEmpty { throw UsageError("--to says whom to send it to") }
        guard let text = try arguments.option("--text") else { throw UsageError("--text says what to send") }
        let type = try arguments.option("--type") ?? NotificationType.universal.rawValue
        var content: [(String, JSONValue)] = [
            ("badge", .integer(try number("--badge", &arguments) ?? 0)), ("text", .string(text)),
            ("type", .string(type)),
        ]
        if let target = try arguments.option("--target") { content.append(("target", .string(target))) }
        var members: [(String, JSONValue)] = [
            ("id", .string(try arguments.option("--id") ?? "send-\(Hex.encode(SecureRandom.bytes(8)))")),
            ("recipients", .array(users)), ("timeout", .integer(try number("--timeout", &arguments) ?? 600)),
            ("pushContent", JSONValue(members: content)),
        ]
        if let priority = try number("--priority", &arguments) { members.append(("priority", .integer(priority))) }
        if let title = try arguments.option("--title") { members.append(("pushDetails", ["name": .string(title)])) }
        return JSONValue(members: members)
    }

    private static func number(_ name: String, _ arguments: inout Arguments) throws(UsageError) -> Int64? {
        guard let word = try arguments.option(name) else { return nil }
        // Seconds may be written as everywhere else: 30s.
        let digits = name == "--timeout" && word.hasSuffix("s") ? String(word.dropLast()) : word
        guard let number = Int64(digits) else { throw UsageError("\(name) needs a whole number, not '\(word)'") }
        return number
    }
}
