// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON

/// The command `send`.
enum SendCommand: Command {
    static let name = "send"
    static let synopsis = """
        --to USER [--to USER ...] --text TEXT [--type TYPE] [--target TARGET] [--id ID]
                         [--timeout SECONDS] [--priority N] [--badge N] [--title TEXT] [--follow]
                         [--url http://127.0.0.1:8080/api/v1] [--token TOKEN] [--ca FILE]
        """
    static let summary = "send one notification to a running bus, over its rest_bank"
    static let details = """
        Prints the id and each recipient's status. With --follow it prints what happens to the notification, until
        nobody's waits in the queue any more; then it ends with 0, or with 1 where somebody does not get it.
        Without --token the variable BUSD_TOKEN is used. Without --id the notification gets a random one.
        """

    static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
        let url = try arguments.option("--url") ?? "http://127.0.0.1:8080/api/v1"
        let token = try arguments.option("--token") ?? Variables.process.environment("BUSD_TOKEN")
        let authority = try arguments.option("--ca")
        let follows = arguments.flag("--follow")
        let body = try NotificationArguments.body(&arguments)
        try arguments.finish()
        let bank = try BankClient(url: url, token: token, authority: authority)
        let sent = try await bank.call("POST", "/notifications", body)
        let id = body["id"]?.string ?? ""
        Console.print(id)
        if !follows {
            for status in BankClient.statuses(sent) { Console.print("\(status.user)  \(status.status)") }
            return .success
        }
        return try await follow(id, bank) ? .success : .failure
    }

    /// Prints the steps as they come; says whether everybody gets it.
    private static func follow(_ id: String, _ bank: BankClient) async throws -> Bool {
        let path = "/notifications/\(BankClient.encoded(id))"
        var shown = 0
        while true {
            // The statuses first: what they say is in the timeline that is asked for after them.
            let statuses = BankClient.statuses(try await bank.call("GET", path + "/status")).map(\.status)
            let events = try await bank.call("GET", path + "/timeline")["events"]?.array ?? []
            for event in events.dropFirst(shown) { Console.print(line(event)) }
            shown = max(shown, events.count)
            // A push that a text message may follow is not the end.
            let isWaiting = events.contains { $0["detail"]?.string?.hasPrefix("fallback at ") == true }
            if !isWaiting, !statuses.contains(DeliveryStatus.queued.rawValue) {
                let lost: [DeliveryStatus] = [.sendingFailed, .expired, .invalidSubscription]
                return !statuses.contains { lost.map(\.rawValue).contains($0) }
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    private static func line(_ event: JSONValue) -> String {
        ["at", "recipient", "event", "channel", "device", "detail"].compactMap { event[$0]?.string }
            .joined(separator: "  ")
    }
}
