// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import JSON
import Sandbox
import Testing

/// The machine's clock is set while something waits: forwards and back, by more than any wait.
@Suite("A bus whose clock is set goes on within seconds", .serialized, .timeLimit(.minutes(4)))
struct ClockStepTests {
    static let jumps: [Int64] = [-70 * 60, 70 * 60]

    private static let within = Duration.seconds(8)

    /// Answers within the time that a wait of the bus takes, whatever the clock says.
    private func soon(_ isTrue: () async throws -> Bool) async throws -> Bool {
        let deadline = ContinuousClock.now + Self.within
        while ContinuousClock.now < deadline {
            if try await isTrue() { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }

    @Test("a channel that APNs refused for its wrong clock works when that is set right", arguments: jumps)
    func suspended(offset: Int64) async throws {
        try await World.with { world in
            let clock = try TurnedClock(in: world.folder, seconds: 0)
            let bus = try await BusProcess(["run"], in: world.folder, environment: clock.environment)
            // Before its first connection: the sandbox's certificates are as young as the test.
            try clock.set(seconds: offset)
            try await world.register("anna", device: "d1", token: String(repeating: "ab", count: 32), at: bus)
            try await world.notify("n1", ["anna"], timeout: 86_400, at: bus)
            // Fast: APNs refuses a token from the future. Slow: its certificate is not yet valid.
            #expect(
                try await soon { bus.log.contains("channel suspended") || bus.log.contains("far end") },
                "\(bus.log)"
            )
            try clock.set(seconds: 0)
            #expect(
                try await soon {
                    try await world.soap("<getDeliveryStatus><id>n1</id></getDeliveryStatus>", at: bus).text
                        .contains("<value>SENT</value>")
                },
                "\(bus.log)"
            )
            #expect(bus.terminate() == 0)
        }
    }

    @Test("a fallback, a callback and a code that are pending are not", arguments: jumps)
    func pending(offset: Int64) async throws {
        let codes = """
              - mobile_app: { path: /codes/v1, authorization: sms_code, apps: [{ id: wallet }] }
                name: codes
            """
        try await World.with(inbound: codes, sms: "      after: 2s") { world in
            try world.tellBank("events: [delivered]")
            try world.change { $0.replacing("inbound:\n", with: "inbound:\n  - rest_bank: { path: /api/v1 }\n") }
            let clock = try TurnedClock(in: world.folder, seconds: 0)
            let bus = try await BusProcess(["run"], in: world.folder, environment: clock.environment)
            let phone = try #require(try await world.phones(1, at: bus).first)
            try await world.notify("n1", [phone.spelling], timeout: 86_400, at: bus)
            #expect(try await world.status(of: "n1", at: bus, becomes: "SENT").contains("SENT"))
            world.sandbox.bank.change { $0.failures = [BankScript.Failure(operation: "pushIsDelivered", status: 503)] }
            #expect(try await world.receipt("delivered", "n1", phone, at: bus) == 202)
            let body = """
                {"appId": "wallet", "userId": "boris", "deviceId": "d9", "platform": "IOS", "token": "0f0f", \
                "phone": "+375291112200"}
                """
            let asked = try await world.send("POST", bus, "/codes/v1/devices", "application/json", body)
            #expect(asked.status == 202)
            try await world.sendPIN("pin", to: "nobody", phone: "+375291112233", timeout: 86_400, at: bus)
            try await world.sendPIN("pin2", to: phone.spelling, phone: "+375291112244", timeout: 86_400, at: bus)
            try clock.set(seconds: offset)
            world.sandbox.bank.change { $0.failures = [] }
            #expect(
                try await soon { world.sandbox.sms.records(token: "375291112244").count == 1 },
                "the fallback after two seconds: \(bus.log)"
            )
            #expect(
                try await soon {
                    world.sandbox.bank.calls.contains { $0.operation == "pushIsDelivered" && $0.answer == "done" }
                },
                "the callback: \(bus.log)"
            )
            let text = try #require(world.sandbox.sms.records(token: "375291112200").first)
            let code = String(decoding: text.body, as: UTF8.self).filter(\.isNumber).suffix(6)
            let confirmed = try await world.send(
                "POST",
                bus,
                "/codes/v1/devices/d9/verification",
                "application/json",
                "{\"appId\": \"wallet\", \"userId\": \"boris\", \"code\": \"\(code)\"}"
            )
            #expect(confirmed.status == 201, "\(String(decoding: confirmed.body, as: UTF8.self))")
            #expect(bus.terminate() == 0)
            #expect(world.sandbox.sms.records(token: "375291112233").count == 1)
            #expect(world.sandbox.sms.records(token: "375291112244").count == 1)
        }
    }
}
