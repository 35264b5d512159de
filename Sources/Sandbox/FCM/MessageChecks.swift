// SPDX-License-Identifier: Apache-2.0

import JSON

/// What FCM checks of a message.
struct MessageChecks {
    private static let limit = 4096
    /// Four weeks, in seconds.
    private static let longestLife: Double = 2_419_200
    private static let targets = ["token", "fid", "topic", "condition"]

    /// Checks a body; returns the token that it is for, empty for another kind of target.
    func check(_ body: [UInt8]) throws(FCMError) -> String {
        guard let root = try? JSONValue(parsing: body) else {
            throw .violating([.init(field: "", description: "Invalid JSON payload received.")])
        }
        let violations = MessageShape.request.violations(root, at: "")
        guard violations.isEmpty else { throw .violating(violations) }
        guard let message = root["message"] else {
            throw .violating([.init(field: "message", description: "The message is not specified.")])
        }
        let targets = Self.targets.filter { message[$0] != nil }
        guard targets.count == 1 else {
            let text = "Exactly one of token, fid, topic or condition is required"
            throw .violating([.init(field: "message", description: text)])
        }
        try checkLife(message)
        guard Self.size(message) <= Self.limit else {
            throw .violating([.init(field: "message", description: "Android message is too big")])
        }
        guard let token = message["token"]?.string else { return "" }
        guard Self.isToken(token) else { throw .badToken }
        return token
    }

    private func checkLife(_ message: JSONValue) throws(FCMError) {
        guard let text = message["android"]?["ttl"]?.string, let life = Double(text.dropLast()) else { return }
        guard life <= Self.longestLife else {
            throw .violating([.init(field: "message.android.ttl", description: "Invalid TTL: at most 2419200s")])
        }
    }

    /// The bytes that count: keys and values of what is shown and of what the app gets.
    private static func size(_ message: JSONValue) -> Int {
        let parts = [message["notification"], message["data"], message["android"]?["notification"]]
        return parts.compactMap { $0?.object }.flatMap(\.members).reduce(0) { sum, member in
            sum + member.key.utf8.count + (member.value.string?.utf8.count ?? 4)
        }
    }

    private static func isToken(_ token: String) -> Bool {
        !token.isEmpty
            && token.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || "-_:.".utf8.contains(byte)
            }
    }
}
