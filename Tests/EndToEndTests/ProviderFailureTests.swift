// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import JSON
import Sandbox
import Testing

@Suite("Ways in which a provider fails", .serialized, .timeLimit(.minutes(4)))
struct ProviderFailureTests {
    /// Registers users of one iPhone each.
    private func register(_ count: Int, _ world: World, _ bus: BusProcess) async throws {
        let lines = 8
        try await withThrowingTaskGroup(of: Void.self) { group in
            for line in 0..<lines {
                group.addTask {
                    for user in stride(from: line, to: count, by: lines) {
                        try await world.register("user\(user)", device: "d\(user)", token: Self.token(user), at: bus)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func token(_ user: Int) -> String {
        let digits = String(user, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Sends one notification to the first users.
    private func notify(_ id: String, users: Int, _ world: World, _ bus: BusProcess) async throws {
        let answer = try await world.soap(
            SOAPText.notification(id, to: (0..<users).map { "user\($0)" }),
            at: bus
        )
        #expect(answer.text.contains("<status>OK</status>"), "\(answer.text.prefix(300))")
    }

    /// Waits until so many of a notification's deliveries have a status.
    private func wait(_ count: Int, _ status: String, of id: String, _ world: World, _ bus: BusProcess) async throws {
        let deadline = ContinuousClock.now + .seconds(90)
        var found = 0
        repeat {
            let text = try await world.soap("<getDeliveryStatus><id>\(id)</id></getDeliveryStatus>", at: bus).text
            found = text.components(separatedBy: "<value>\(status)</value>").count - 1
            if found == count { return }
            // Statuses are asked for, as a bank does; the bus tells nobody when they change.
            try await Task.sleep(for: .milliseconds(100))
        } while ContinuousClock.now < deadline
        Issue.record("\(found) of \(count) are \(status)")
    }

    @Test("GOAWAY every 50 streams and dropped connections during 2,000 pushes: all arrive")
    func goaway() async throws {
        var options = SandboxOptions()
        options.recordLimit = 20_000
        try await World.with(sandbox: options) { world in
            let bus = try await world.startBus()
            try await register(100, world, bus)
            var rules = [PushRule(.goaway), PushRule(.drop)]
            rules[0].every = 50
            rules[1].every = 301
            world.sandbox.apns.setRules(rules)
            for number in 0..<20 { try await notify("n\(number)", users: 100, world, bus) }
            for number in 0..<20 { try await wait(100, "SENT", of: "n\(number)", world, bus) }
            var arrived: Set<String> = []
            for record in world.sandbox.apns.records() where record.status == 200 {
                let id = try JSONValue(parsing: record.body)["notificationId"]?.string ?? ""
                arrived.insert("\(record.token) \(id)")
            }
            #expect(arrived.count == 2_000)
        }
    }

    @Test("REFUSED_STREAM causes no duplicate")
    func refused() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            try await register(100, world, bus)
            var rule = PushRule(.refuse)
            rule.every = 3
            rule.times = 200
            world.sandbox.apns.setRules([rule])
            for number in 0..<5 { try await notify("n\(number)", users: 100, world, bus) }
            for number in 0..<5 { try await wait(100, "SENT", of: "n\(number)", world, bus) }
            let arrived = world.sandbox.apns.records().filter { $0.status == 200 }
            #expect(arrived.count == 500)
            #expect(Set(arrived.compactMap { $0.header("apns-id") }).count == 500)
        }
    }

    @Test("InvalidProviderToken for 100 devices: the channel pauses, nobody is lost, all arrive when the key works")
    func refusedKey() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            try await register(100, world, bus)
            world.sandbox.apns.setRules([PushRule(status: 403, reason: "InvalidProviderToken")])
            try await notify("n1", users: 100, world, bus)
            await world.sandbox.apns.arrived(1)
            // What counts is what is not sent, so time must pass. A few are on their way when the first answer comes,
            // then there is one probe at a time: after 1, 2, 4, 8, 16, 20 and 20 seconds.
            try await Task.sleep(for: .seconds(10))
            let requests = world.sandbox.apns.records().count
            #expect((3...11).contains(requests), "\(requests) requests in 10 s")
            world.sandbox.apns.setRules([])
            try await wait(100, "SENT", of: "n1", world, bus)
            for user in 0..<100 {
                let exists = try await world.soap(
                    "<checkSubscriptionExists><user>user\(user)</user></checkSubscriptionExists>",
                    at: bus
                )
                #expect(exists.text.contains("true"))
            }
        }
    }

    @Test("429 with Retry-After 3 for ten seconds: nothing earlier than told, all delivered, the same apns-id")
    func tooMany() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            let count = 1_000
            try await register(count, world, bus)
            var rule = PushRule(status: 429, reason: "TooManyRequests")
            rule.retryAfter = "3"
            rule.lasting = 10_000
            world.sandbox.apns.setRules([rule])
            try await notify("n1", users: count, world, bus)
            try await wait(count, "SENT", of: "n1", world, bus)
            let records = Dictionary(grouping: world.sandbox.apns.records(), by: \.token)
            #expect(records.count == count)
            var last: [Int64] = []
            for (token, attempts) in records {
                #expect(attempts.last?.status == 200, "\(token)")
                #expect(attempts.filter { $0.status == 200 }.count == 1)
                #expect(Set(attempts.compactMap { $0.header("apns-id") }).count == 1)
                for (earlier, later) in zip(attempts, attempts.dropFirst()) { #expect(later.at - earlier.at >= 3_000) }
                last.append(attempts.last?.at ?? 0)
            }
            // Spread, so that the provider does not meet them all in one moment.
            let spread = (last.max() ?? 0) - (last.min() ?? 0)
            #expect(spread > 100, "all within \(spread) ms")
        }
    }

    @Test("BadDeviceToken for all of 80: none removed before a success, nor after it; an operator decides")
    func badTokens() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            try await register(80, world, bus)
            world.sandbox.apns.setRules([PushRule(status: 400, reason: "BadDeviceToken")])
            try await notify("n1", users: 80, world, bus)
            try await wait(80, "SENDING_FAILED", of: "n1", world, bus)
            #expect(try await operate("list", in: world, bus).output == "nothing is in quarantine\n")
            world.sandbox.apns.setRules([])
            try await notify("n2", users: 1, world, bus)
            try await wait(1, "SENT", of: "n2", world, bus)
            world.sandbox.apns.setRules([PushRule(status: 400, reason: "BadDeviceToken")])
            try await notify("n3", users: 80, world, bus)
            // Until fifty results are known the verdicts are believed as far as deliveries are concerned.
            try await wait(49, "INVALID_SUBSCRIPTION", of: "n3", world, bus)
            try await wait(31, "SENDING_FAILED", of: "n3", world, bus)
            let listed = try await operate("list", in: world, bus)
            #expect(listed.status == 0)
            #expect(listed.output.hasPrefix("bank/apns  "), "\(listed.output)\(listed.error)")
            #expect(listed.output.contains("BadDeviceToken"))
            #expect(try await world.admin("GET", bus, "/quarantine").status == 401)
            let metrics = String(decoding: try await world.admin("GET", bus, "/metrics").body, as: UTF8.self)
            #expect(metrics.contains("busd_quarantined_total{pipeline=\"bank\",channel=\"apns\"}"))
            #expect(bus.log.contains("quarantine"))
            let mistyped = try await operate("confirm", "bank", "apsn", in: world, bus)
            #expect(mistyped.status == 1)
            #expect(mistyped.error == "nothing of bank/apsn is in quarantine; in quarantine is: bank/apns\n")
            let confirmed = try await operate("confirm", in: world, bus)
            #expect(confirmed.output.contains("subscriptions removed"), "\(confirmed.output)\(confirmed.error)")
            #expect(try await operate("list", in: world, bus).output == "nothing is in quarantine\n")
        }
    }

    private func operate(_ words: String..., in world: World, _ bus: BusProcess) async throws -> ProgramResult {
        try world.write("operator.yaml", "admin: { listen: 127.0.0.1:\(bus.adminPort), token: operator }\n")
        return try busd(["quarantine"] + words + ["--config", "operator.yaml"], in: world.folder)
    }
}
