// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import JSON
import Sandbox
import Testing

/// A provider that calls everything dead, for whatever mistake of ours or its own, costs no customer.
@Suite("A wave of verdicts on tokens", .serialized, .timeLimit(.minutes(5)))
struct InvalidTokenWaveTests {
    private static let users = 200

    struct Wave: Sendable, CustomTestStringConvertible {
        let platform: String
        let status: Int
        let reason: String
        var testDescription: String { "\(platform) \(reason)" }
    }

    static let waves = [
        Wave(platform: "IOS", status: 410, reason: "Unregistered"),
        Wave(platform: "IOS", status: 400, reason: "BadDeviceToken"),
        Wave(platform: "ANDROID", status: 404, reason: "UNREGISTERED"),
        Wave(platform: "ANDROID", status: 403, reason: "SENDER_ID_MISMATCH"),
    ]

    private func subscribed(_ world: World, _ bus: BusProcess) async throws -> Int {
        var count = 0
        for user in 0..<Self.users {
            let question = "<checkSubscriptionExists><user>user\(user)</user></checkSubscriptionExists>"
            if try await world.soap(question, at: bus).text.contains("<exists>true</exists>") { count += 1 }
        }
        return count
    }

    private func notify(_ id: String, _ world: World, _ bus: BusProcess) async throws {
        try await world.notify(id, (0..<Self.users).map { "user\($0)" }, at: bus)
        let question = "<getDeliveryStatus><id>\(id)</id></getDeliveryStatus>"
        let isAnswered = try await eventually {
            try await !world.soap(question, at: bus).text.contains("<value>QUEUED</value>")
        }
        #expect(isAnswered, "every delivery is answered at once")
    }

    private func count(_ metric: String, _ world: World, _ bus: BusProcess) async throws -> Int {
        let text = String(decoding: try await world.admin("GET", bus, "/metrics").body, as: UTF8.self)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix(metric) }
        return lines.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
    }

    @Test("leaves all 200 subscribed, over a restart, with one alarm", arguments: waves)
    func wave(_ wave: Wave) async throws {
        try await World.with { world in
            let standIn = wave.platform == "IOS" ? world.sandbox.apns : world.sandbox.fcm
            let channel = wave.platform == "IOS" ? "apns" : "fcm"
            var bus = try await world.startBus()
            for user in 0..<Self.users {
                let token = wave.platform == "IOS" ? String(format: "%064x", user + 1) : "token-\(user)"
                try await world.register(
                    "user\(user)",
                    device: "d\(user)",
                    token: token,
                    platform: wave.platform,
                    at: bus
                )
            }
            try await notify("good", world, bus)
            standIn.setRules([PushRule(status: wave.status, reason: wave.reason)])
            try await notify("first", world, bus)
            #expect(await bus.says("channel in doubt"))
            try await notify("second", world, bus)
            let ended = try await count(
                "busd_subscriptions_ended_total{pipeline=\"bank\",reason=\"invalid_token\"}",
                world,
                bus
            )
            #expect(ended == 3)
            #expect(bus.log.components(separatedBy: "subscription ended: its token is invalid").count == 4)
            #expect(bus.log.components(separatedBy: "channel in doubt").count == 2)
            bus.kill9()
            bus = try await world.startBus()
            try await notify("third", world, bus)
            #expect(!bus.log.contains("channel in doubt"), "the alarm is raised once")
            #expect(
                try await count("busd_quarantined{pipeline=\"bank\",channel=\"\(channel)\"}", world, bus) == Self.users
            )
            let released = try await world.admin(
                "POST",
                bus,
                "/quarantine/bank/\(channel)/release",
                token: "operator"
            )
            #expect(released.status == 200)
            #expect(try await subscribed(world, bus) == Self.users)
            standIn.setRules([])
            try await notify("after", world, bus)
            let text = try await world.status(of: "after", at: bus, becomes: "SENT")
            #expect(text.components(separatedBy: "<value>SENT</value>").count == Self.users + 1)
            #expect(bus.terminate() == 0)
        }
    }
}
