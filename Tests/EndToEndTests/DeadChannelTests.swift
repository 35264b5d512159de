// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import Sandbox
import Testing

@Suite("A channel that is dead", .serialized, .timeLimit(.minutes(4)))
struct DeadChannelTests {
    /// How many deliveries wait for it.
    private static let backlog = Int(ProcessInfo.processInfo.environment["BUSD_BACKLOG"] ?? "") ?? 20_000

    private func configure(_ world: World, endpoint: String) throws {
        func channel(_ name: String, _ endpoint: String, _ condition: String) -> String {
            """
              - apns:
                  endpoint: \(endpoint)
                  topic: com.example.bank
                  auth: { key: { path: \(world.sandbox.keyFile), key_id: \(world.sandbox.keyID), \
            team_id: \(world.sandbox.teamID) } }
                  ca: \(world.sandbox.authorityFile)
                name: \(name)
                when: { type: \(condition) }
            """
        }
        try world.write(
            "bank.yaml",
            """
            pipeline: bank
            inbound:
              - soap_bank: { path: \(World.soapPath) }
              - mobile_app: { path: /mobile/v1, authorization: none, apps: [{ id: retail }] }
            outbound:
            \(channel("first", endpoint, "UNIVERSAL"))
            \(channel("second", world.sandbox.apns.endpoint, "PRODUCT"))
            delivery: { retry: { initial: 50ms, max: 500ms } }
            """
        )
    }

    /// Sends over the second channel, in the lane of all that waits; returns the time until the provider has it.
    private func sendOther(_ id: String, _ world: World, _ bus: BusProcess) async throws -> Duration {
        world.sandbox.apns.removeRecords()
        let start = ContinuousClock.now
        let request = SOAPText.notification(id, to: ["user0"])
            .replacing("<type>UNIVERSAL</type>", with: "<type>PRODUCT</type><target>1</target>")
        #expect(try await world.soap(request, at: bus).text.contains("<status>OK</status>"))
        await world.sandbox.apns.arrived(1)
        return ContinuousClock.now - start
    }

    @Test("what waits for it delays nothing over another channel, survives a restart, and goes when it lives again")
    func others() async throws {
        try await World.with { world in
            try configure(world, endpoint: "https://127.0.0.1:9")
            var bus = try await world.startBus()
            for user in 0..<100 {
                try await world.register("user\(user)", device: "d\(user)", token: "\(1_000 + user)", at: bus)
            }
            let users = (0..<100).map { "user\($0)" }
            for number in 0..<Self.backlog / 100 {
                let request = SOAPText.notification("n\(number)", to: users, timeout: 3_600)
                #expect(try await world.soap(request, at: bus).text.contains("<status>OK</status>"))
            }
            let first = try await sendOther("other1", world, bus)
            // All of that is being parked meanwhile.
            #expect(first < .seconds(5), "\(first)")
            _ = try await world.status(of: "other1", at: bus, becomes: "<value>SENT</value>")
            let metrics = String(decoding: try await world.admin("GET", bus, "/metrics").body, as: UTF8.self)
            #expect(metrics.contains("busd_queue_depth{pipeline=\"bank\",lane=\"bulk\"} \(Self.backlog)"))
            #expect(bus.terminate() == 0)

            bus = try await world.startBus()
            let second = try await sendOther("other2", world, bus)
            #expect(second < .seconds(2), "\(second)")
            print("over another channel: \(first), after a restart \(second)")
            #expect(bus.terminate() == 0)

            try configure(world, endpoint: world.sandbox.apns.endpoint)
            world.sandbox.apns.removeRecords()
            bus = try await world.startBus()
            await world.sandbox.apns.arrived(Self.backlog)
            let last = "n\(Self.backlog / 100 - 1)"
            _ = try await world.status(of: last, at: bus, becomes: "<value>SENT</value>")
            #expect(bus.terminate() == 0)
        }
    }
}
