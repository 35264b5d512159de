// SPDX-License-Identifier: Apache-2.0

import Foundation
import Sandbox
import Testing

@Suite("busd send", .timeLimit(.minutes(2)))
struct SendTests {
    @Test("it sends, follows until nobody waits, and tells what the bus refuses")
    func send() async throws {
        let inbound = "  - rest_bank: { path: /api/v1, auth: { bearer: [bank-token] } }"
        try await World.with(inbound: inbound) { world in
            let bus = try await world.startBus()
            let token = String(repeating: "ef", count: 32)
            #expect(try await world.register("ivanov", device: "d1", token: token, at: bus).status == 201)
            func send(_ words: [String], token: String = "bank-token") async throws -> ProgramResult {
                let url = ["send", "--url", "http://127.0.0.1:\(bus.port)/api/v1"]
                return try await OtherProgram.run(
                    BusProcess.program,
                    url + words,
                    in: world.folder,
                    environment: ["BUSD_TOKEN": token]
                )
            }
            let followed = try await send(["--id", "a/1", "--to", "ivanov", "--text", "hi", "--title", "T", "--follow"])
            #expect(followed.status == 0, "\(followed.error)")
            let lines = followed.output.split(separator: "\n")
            #expect(lines.first == "a/1")
            #expect(lines.count == 3)
            #expect(lines[1].hasSuffix("  ivanov  accepted"))
            #expect(lines[2].contains("  ivanov  sent  apns"))
            #expect(world.sandbox.apns.records(token: token).count == 1)

            let two = try await send(["--id", "b", "--to", "nobody", "--to", "ivanov", "--text", "hi"])
            #expect(two.status == 0)
            #expect(two.output == "b\nnobody  INVALID_SUBSCRIPTION\nivanov  QUEUED\n")
            let nobody = try await send(["--to", "nobody", "--text", "hi", "--follow"])
            #expect(nobody.status == 1)
            let again = try await send(["--id", "b", "--to", "ivanov", "--text", "hi"])
            #expect(again.status == 1)
            #expect(again.error == "busd send: DUPLICATED_ENTITY: the id was used before\n")
            let dashed = try await send(["--id", "c", "--to", "ivanov", "--text", "-h", "--title=--help"])
            #expect(dashed.status == 0)
            #expect(dashed.output == "c\nivanov  QUEUED\n", "a value that looks like an option is a value")
            let untargeted = try await send(["--to", "ivanov", "--text", "hi", "--type", "URL"])
            #expect(untargeted.status == 1)
            #expect(untargeted.error.contains("pushContent.target is missing"))
            let stranger = try await send(["--to", "ivanov", "--text", "hi"], token: "wrong")
            #expect(stranger.status == 1)
            #expect(stranger.error.contains("UNAUTHORIZED"))
            #expect(!stranger.error.contains("wrong\n"))
        }
    }

    @Test(
        "wrong usage exits 2",
        arguments: [
            (["send", "--text", "hi"], "--to says whom to send it to"),
            (["send", "--to", "a"], "--text says what to send"),
            (["send", "--to", "a", "--text", "b", "--timeout", "5m"], "--timeout needs a whole number, not '5m'"),
            (["send", "--to", "a", "--text", "b", "c"], "'c' is one word too many"),
            (["send", "--to", "a", "--text", "b", "--", "--id"], "'--id' is one word too many"),
            (["send", "--to", "a", "--txt", "b"], "unknown option '--txt'; did you mean '--text'?"),
            (["send", "--to", "a", "--text", "b", "--follow=yes"], "--follow takes no value"),
            (["send", "--to", "a", "--text", "b", "--id", "1", "--id=2"], "--id is given twice"),
        ]
    )
    func usage(_ words: [String], _ message: String) async throws {
        try await withFolder { folder in
            let result = try await OtherProgram.run(BusProcess.program, words, in: folder)
            #expect(result.status == 2)
            #expect(result.error.contains(message))
        }
    }
}
