// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoadClient
import Sandbox
import Testing

/// Many messages while FCM fails in every usual way; `BUSD_FCM_MESSAGES` says how many.
@Suite("Many messages to an FCM that fails", .serialized, .timeLimit(.minutes(10)))
struct AndroidLoadTests {
    private static let count = ProcessInfo.processInfo.environment["BUSD_FCM_MESSAGES"].flatMap { Int($0) } ?? 1_000
    private static let recipients = 100

    @Test("1 % UNREGISTERED, 5 % 503 and two ends of the access token: all accounted for, one request for each")
    func accounted() async throws {
        var options = SandboxOptions()
        options.recordLimit = Self.count * 3
        try await World.with(sandbox: options) { world in
            let bus = try await world.startBus()
            let registered = try await drive(bus, count: Self.count, connections: 16) { user in
                let body = World.registration(
                    "user\(user)",
                    device: "d\(user)",
                    token: "t:\(user)",
                    platform: "ANDROID"
                )
                return SOAPText.post("/mobile/v1/devices", "application/json", body)
            }
            #expect(registered.statuses == [201: Self.count])
            var failing = PushRule(status: 503, reason: "UNAVAILABLE")
            failing.every = 20
            var dead = PushRule(status: 404, reason: "UNREGISTERED")
            dead.every = 100
            world.sandbox.fcm.setRules([failing, dead])
            let start = ContinuousClock.now
            async let sent = drive(bus, count: Self.count / Self.recipients, connections: 4) { number in
                let users = (0..<Self.recipients).map { "user\(number * Self.recipients + $0)" }
                return SOAPText.request(SOAPText.notification("n\(number)", to: users))
            }
            for part in 1...2 {
                await accepted(Self.count * part / 3, world)
                world.sandbox.accessTokens.expireAll()
            }
            #expect(try await sent.statuses == [200: Self.count / Self.recipients])
            let statuses = try await finalStatuses(world, bus)
            print("\(Self.count) messages: \(statuses) in \(ContinuousClock.now - start)")
            let records = world.sandbox.fcm.records()
            let unregistered = records.count { $0.reason == "UNREGISTERED" }
            #expect(statuses["SENT"] == Self.count - unregistered)
            #expect(
                statuses["INVALID_SUBSCRIPTION", default: 0] + statuses["SENDING_FAILED", default: 0] == unregistered
            )
            #expect((Self.count / 120...Self.count / 80).contains(unregistered), "\(unregistered)")
            #expect(Set(records.filter { $0.status == 200 }.map(\.token)).count == Self.count - unregistered)
            #expect(records.count { $0.status == 200 } == Self.count - unregistered)
            #expect(records.contains { $0.status == 401 } && records.contains { $0.status == 503 })
            #expect(world.sandbox.accessTokens.issued == 3)
        }
    }

    /// Waits until FCM has accepted so many.
    private func accepted(_ count: Int, _ world: World) async {
        while true {
            let records = world.sandbox.fcm.records()
            let missing = count - records.count { $0.status == 200 }
            if missing <= 0 { return }
            await world.sandbox.fcm.arrived(records.count + missing)
        }
    }

    /// The statuses of all deliveries once none is queued, counted.
    private func finalStatuses(_ world: World, _ bus: BusProcess) async throws -> [String: Int] {
        var statuses: [String: Int] = [:]
        let words = ["SENT", "INVALID_SUBSCRIPTION", "SENDING_FAILED", "EXPIRED"]
        for number in 0..<(Self.count / Self.recipients) {
            var text = ""
            repeat {
                text = try await world.soap("<getDeliveryStatus><id>n\(number)</id></getDeliveryStatus>", at: bus).text
                // Statuses are asked for, as a bank does; the bus tells nobody when they change.
                if text.contains("<value>QUEUED</value>") { try await Task.sleep(for: .milliseconds(50)) }
            } while text.contains("<value>QUEUED</value>")
            for word in words {
                statuses[word, default: 0] += text.components(separatedBy: "<value>\(word)</value>").count - 1
            }
        }
        return statuses
    }
}
