// SPDX-License-Identifier: Apache-2.0

import JSON

/// The command `quarantine`.
enum QuarantineCommand: Command {
    static let name = "quarantine"
    static let synopsis = "(list | release | confirm) [PIPELINE [CHANNEL]] [--config busd.yaml]"
    static let summary = "decide about addresses that were called dead in too great numbers"
    static let details = """
        When over a fifth of a channel's results say that an address is dead, a mistake is likelier than so many dead
        phones: no subscription is removed, those of the last day come back, and an operator decides. 'release' keeps
        them, 'confirm' removes those that are still as they were; without names, those of all channels. The bus must be running: it is found by
        admin.listen of the node file, and the token is BUSD_ADMIN_TOKEN or the file's.
        """

    static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
        let config = try arguments.option("--config")
        let words = try arguments.rest()
        guard let action = words.first, ["list", "release", "confirm"].contains(action), words.count <= 3 else {
            throw UsageError("say list, release or confirm")
        }
        let client = try AdminClient(config: config)
        let all = try await client.ask("GET", "/quarantine")["quarantine"]?.array ?? []
        let names = words.dropFirst()
        let entries = all.filter { entry in
            zip(["pipeline", "channel"], names).allSatisfy { entry[$0]?.string == $1 }
        }
        if entries.isEmpty, !all.isEmpty {
            // Whoever mistypes a name must not believe that they have decided.
            let places = all.map { "\(place(of: $0))" }.joined(separator: ", ")
            Console.error("nothing of \(names.joined(separator: "/")) is in quarantine; in quarantine is: \(places)")
            return .failure
        }
        if entries.isEmpty { Console.print("nothing is in quarantine") }
        if action == "list" { show(entries) } else { try await decide(action, entries, client) }
        return .success
    }

    private struct Place: Hashable, CustomStringConvertible {
        let pipeline: String
        let channel: String
        var description: String { "\(pipeline)/\(channel)" }
    }

    private static func place(of entry: JSONValue) -> Place {
        Place(pipeline: entry["pipeline"]?.string ?? "", channel: entry["channel"]?.string ?? "")
    }

    private static func decide(_ action: String, _ entries: [JSONValue], _ client: AdminClient) async throws {
        let places = entries.map(place(of:))
        for (index, place) in places.enumerated() where places.firstIndex(of: place) == index {
            let path = "/quarantine/\(escaped(place.pipeline))/\(escaped(place.channel))/\(action)"
            let count = try await client.ask("POST", path)["count"]?.integer ?? 0
            let done = action == "release" ? "kept" : "removed"
            Console.print("\(place)  \(count) subscriptions \(done)")
        }
    }

    private static func show(_ entries: [JSONValue]) {
        for entry in entries {
            func text(_ key: String) -> String { entry[key]?.string ?? "" }
            let count = entry["count"]?.integer ?? 0
            let when = "\(text("first")) to \(text("last"))"
            Console.print("\(place(of: entry))  \(count)  \(when)  \(text("reason"))")
        }
    }

    /// A name as a segment of a path.
    private static func escaped(_ name: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
