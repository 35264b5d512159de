// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import JSON
import Sandbox
import Testing

/// `BUSD_BANK_DOWN` is for how many seconds the bank is down: 4 where nobody says, a minute for the whole measure.
@Suite("A bank is down while 500 register and 500 open, and the bus is killed", .timeLimit(.minutes(5)))
struct OutageTests {
    private static let seconds = ProcessInfo.processInfo.environment["BUSD_BANK_DOWN"].flatMap(Double.init) ?? 4
    private static let users = 25
    private static let notifications = 20
    /// How long an answer may take on a machine that does much else.
    private static let atOnce = Duration.seconds(3)

    @Test("registrations are refused at once, and every receipt's callback arrives once, when the bank is back")
    func outage() async throws {
        var options = SandboxOptions()
        options.recordLimit = 100_000
        try await World.with(sandbox: options, asksBank: true) { world in
            world.sandbox.bank.change { $0.authorized = Set((0..<Self.users).map { "user\($0)" }) }
            var bus = try await world.startBus()
            let phones = try await world.phones(Self.users, at: bus)
            let ids = (0..<Self.notifications).map { "n\($0)" }
            for id in ids { try await world.notify(id, phones.map(\.spelling), at: bus) }
            world.sandbox.bank.removeCalls()
            world.sandbox.bank.change { $0.isDown = true }
            let start = ContinuousClock.now
            var slowest = Duration.zero
            for (round, id) in ids.enumerated() {
                if round == Self.notifications / 2 {
                    bus.kill9()
                    bus = try await world.startBus()
                }
                slowest = max(slowest, try await Self.pass(round, id, phones, world, bus))
                try await Task.sleep(until: start + .seconds(Self.seconds) / Self.notifications * (round + 1))
            }
            #expect(slowest < Self.atOnce, "the slowest refusal took \(slowest)")
            world.sandbox.bank.change { $0.isDown = false }
            let wanted = Set(ids.flatMap { id in phones.map { "\(id) \($0.spelling)" } })
            let pairs = try await world.heard("pushIsOpened") { wanted.isSubset(of: $0.map(\.pair)) }.map(\.pair)
            // The bank took nothing before the bus was killed, so nothing was between a call and its record.
            #expect(pairs.count == 500 && Set(pairs) == wanted)
            let text = try await world.status(of: "n7", at: bus, becomes: "<key>USER3</key><value>READ</value>")
            #expect(text.contains("<key>USER3</key><value>READ</value>"))
            for user in ["late-0-0", "late-19-24"] {
                let question = "<checkSubscriptionExists><user>\(user)</user></checkSubscriptionExists>"
                #expect(try await world.soap(question, at: bus).text.contains("<exists>false</exists>"))
            }
            #expect(bus.terminate() == 0)
        }
    }

    /// Has all phones open a notification, and as many others register; returns how long the slowest refusal took.
    private static func pass(
        _ round: Int,
        _ id: String,
        _ phones: [Phone],
        _ world: World,
        _ bus: BusProcess
    ) async throws -> Duration {
        try await withThrowingTaskGroup(of: Duration.self) { group in
            for (number, phone) in phones.enumerated() {
                group.addTask {
                    let status = try await world.receipt("opened", id, phone, at: bus)
                    #expect(status == 202)
                    return .zero
                }
                group.addTask { try await refused("late-\(round)-\(number)", world, bus) }
            }
            return try await group.reduce(.zero) { max($0, $1) }
        }
    }

    private static func refused(_ user: String, _ world: World, _ bus: BusProcess) async throws -> Duration {
        let body = """
            {"appId": "retail", "userId": "\(user)", "bankClientId": "7", "deviceId": "of \(user)", "platform": "IOS",
             "token": "\(user.utf8.map { String($0, radix: 16) }.joined())"}
            """
        let start = ContinuousClock.now
        let answer = try await world.send("POST", bus, "/mobile/v1/devices", "application/json", body)
        #expect(answer.status == 502)
        #expect(try JSONValue(parsing: answer.body)["code"] == "BANK_UNREACHABLE")
        return ContinuousClock.now - start
    }
}
