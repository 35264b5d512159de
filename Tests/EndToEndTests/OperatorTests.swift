// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import Sandbox
import Testing

@Suite("An operator at the command line of a running bus", .timeLimit(.minutes(2)))
struct OperatorTests {
    /// Runs `busd` with a node file that says where the bus's admin listener is.
    private static func command(_ world: World, _ bus: BusProcess, _ words: String...) async throws -> ProgramResult {
        let admin = "admin: { listen: 127.0.0.1:\(bus.adminPort), token: \"${ADMIN_TOKEN}\" }\n"
        try world.write("operator.yaml", admin)
        return try await OtherProgram.run(
            BusProcess.program,
            words + ["--config", "operator.yaml"],
            in: world.folder,
            environment: ["ADMIN_TOKEN": "operator"]
        )
    }

    @Test("dead letters are listed, shown, replayed and dropped")
    func deadLetters() async throws {
        try await World.with { world in
            try world.haveCallsDie()
            let bus = try await world.startBus()
            let none = try await Self.command(world, bus, "dead-letters", "list")
            #expect(none.output == "there are no dead letters\n", "\(none.error)")
            let phones = try await world.phones(2, at: bus)
            try await world.notify("n1", phones.map(\.spelling), at: bus)
            for phone in phones { #expect(try await world.receipt("opened", "n1", phone, at: bus) == 202) }
            let letters = try await world.deadLetters(at: bus, count: 2)
            let ids = try letters.map { "\(try #require($0["id"]?.integer))" }
            let listed = try await Self.command(world, bus, "dead-letters", "list")
            #expect(listed.status == 0, "\(listed.error)")
            let lines = listed.output.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.map { String($0.prefix { $0 != " " }) } == ids)
            #expect(lines.allSatisfy { $0.contains("bank/soap_bank") && $0.contains("opened of n1 for 1") })
            let user = try #require(letters[0]["userIds"]?.array?.first?.string)
            let shown = try await Self.command(world, bus, "dead-letters", "show", ids[0])
            #expect(shown.output.hasSuffix("\n    \(user)\n"), "\(shown.output)\(shown.error)")
            world.sandbox.bank.change { $0.failures = [] }
            let replayed = try await Self.command(world, bus, "dead-letters", "replay", ids[0])
            #expect(replayed.output == "\(ids[0]) will be told again\n", "\(replayed.error)")
            #expect(try await world.heard("pushIsOpened", atLeast: 1).map(\.pair) == ["n1 \(user)"])
            let dropped = try await Self.command(world, bus, "dead-letters", "drop", ids[1])
            #expect(dropped.output == "\(ids[1]) is forgotten\n", "\(dropped.error)")
            let gone = try await Self.command(world, bus, "dead-letters", "replay", ids[1])
            #expect(gone.status == 1)
            #expect(gone.error.contains("no such dead letter"), "\(gone.error)")
            #expect(try await Self.command(world, bus, "dead-letters", "list").output == "there are no dead letters\n")
            #expect(bus.terminate() == 0)
            let late = try await Self.command(world, bus, "dead-letters", "list")
            #expect(late.status == 1)
            #expect(late.error.contains("no bus answers"), "\(late.error)")
        }
    }

    @Test("check --probe connects to banks too, and says nothing to them")
    func probe() async throws {
        try await RESTBankStandIn.with { bank, url in
            let rest = "  - rest_bank: { url: \"\(url)\" }"
            let refused = "  - soap_bank: { url: \"http://127.0.0.1:1/bank\" }\n    name: dead_bank"
            try await World.with(outbound: "\(rest)\n\(refused)") { world in
                let found = try await OtherProgram.run(
                    BusProcess.program,
                    ["check", "bank.yaml", "--probe"],
                    in: world.folder
                )
                #expect(found.status == 1)
                #expect(found.output.contains("bank/rest_bank: reachable\n"), "\(found.output)")
                #expect(found.error.contains("error: dead_bank: http://127.0.0.1:1: "), "\(found.error)")
                #expect(bank.calls.isEmpty)
            }
        }
    }

    @Test("what is finished and older than 'retention' is forgotten, what waits is not")
    func retention() async throws {
        try await World.with(node: "retention: 1s") { world in
            let bus = try await world.startBus()
            let phones = try await world.phones(1, at: bus)
            try await world.notify("done", phones.map(\.spelling), at: bus)
            _ = try await world.status(of: "done", at: bus, becomes: "<value>SENT</value>")
            _ = try await world.admin("POST", bus, "/channels/bank/apns/pause", token: "operator")
            for id in ["waiting", "last"] { try await world.notify(id, phones.map(\.spelling), at: bus) }
            let gone = "<status>ENTITY_NOT_FOUND</status>"
            #expect(try await world.status(of: "done", at: bus, becomes: gone).contains(gone))
            let waiting = try await world.status(of: "waiting", at: bus, becomes: "<value>QUEUED</value>")
            #expect(waiting.contains("<value>QUEUED</value>"))
            #expect(bus.terminate() == 0)
        }
    }
}
