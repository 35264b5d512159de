// SPDX-License-Identifier: Apache-2.0

import JSON

/// The command `dead-letters`.
enum DeadLettersCommand: Command {
    static let name = "dead-letters"
    static let synopsis = "(list | show ID | replay ID | drop ID) [--config busd.yaml]"
    static let summary = "look at calls that a bank did not take, and try them again or forget them"
    static let details = """
        A call that a bank refuses, or does not take within delivery.give_up_after, is a dead letter. 'replay' has the
        bank told again, 'drop' forgets it. The bus must be running: it is found by admin.listen of the node file, and
        the token is BUSD_ADMIN_TOKEN or the file's.
        """

    static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
        let config = try arguments.option("--config")
        let words = try arguments.rest()
        guard let action = words.first else { throw UsageError("say list, show, replay or drop") }
        switch (action, words.count) {
        case ("list", 1): try await list(try AdminClient(config: config))
        case ("show", 2), ("replay", 2), ("drop", 2):
            guard let number = Int64(words[1]) else { throw UsageError("'\(words[1])' is no id of a dead letter") }
            try await decide(action, number, try AdminClient(config: config))
        default: throw UsageError("say list, or show, replay or drop with an id")
        }
        return .success
    }

    private static func list(_ client: AdminClient) async throws {
        var before: Int?
        var isEmpty = true
        while true {
            let path = "/dead-letters" + (before.map { "?before=\($0)" } ?? "")
            let letters = try await client.ask("GET", path)["deadLetters"]?.array ?? []
            guard let last = letters.last?["id"]?.integer else { break }
            for letter in letters { Console.print(line(letter)) }
            before = Int(last)
            isEmpty = false
        }
        if isEmpty { Console.print("there are no dead letters") }
    }

    private static func decide(_ action: String, _ number: Int64, _ client: AdminClient) async throws {
        switch action {
        case "show":
            let letter = try await client.ask("GET", "/dead-letters/\(number)")
            Console.print(line(letter))
            for user in letter["userIds"]?.array ?? [] { Console.print("    \(user.string ?? "")") }
        case "replay":
            _ = try await client.ask("POST", "/dead-letters/\(number)/replay")
            Console.print("\(number) will be told again")
        default:
            _ = try await client.ask("DELETE", "/dead-letters/\(number)")
            Console.print("\(number) is forgotten")
        }
    }

    private static func line(_ letter: JSONValue) -> String {
        func text(_ key: String) -> String { letter[key]?.string ?? "" }
        func number(_ key: String) -> String { letter[key]?.integer.map { "\($0)" } ?? "" }
        let what = "\(text("event")) of \(text("notificationId")) for \(number("userCount"))"
        let why = "\(number("attempts")) attempts: \(text("reason"))"
        return "\(number("id"))  \(text("diedAt"))  \(text("pipeline"))/\(text("link"))  \(what)  \(why)"
    }
}
