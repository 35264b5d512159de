// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import Sandbox
import Synchronization
import Testing

@Suite("Killed at a random moment under load", .serialized, .timeLimit(.minutes(5)))  // One machine, one power cut.
struct CrashTests {
    /// How many deliveries may be under way at once, and so may come twice after a crash.
    private static let underWay = 4_096

    @Test("all that was answered OK arrives after the restart, and only what was under way comes twice")
    func killed() async throws {
        var options = SandboxOptions()
        options.recordLimit = 200_000
        try await World.with(sandbox: options) { world in
            let promised = Mutex(Set<String>())
            var bus = try await world.startBus()
            for user in 0..<20 {
                try await world.register("user\(user)", device: "d\(user)", token: "\(10 + user)", at: bus)
            }
            for round in 0..<5 {
                let isDead = Mutex(false)
                let victim = bus
                async let killer: Void = {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 30...700)))
                    victim.kill9()
                    isDead.withLock { $0 = true }
                }()
                // A bus that is killed at once refuses every connection, which is no answer and so no promise.
                _ = try? await load(
                    bus,
                    count: 100_000,
                    connections: 64,
                    id: { "r\(round)-\($0)" },
                    answered: { number, _, body in
                        guard String(decoding: body, as: UTF8.self).contains("<status>OK</status>") else { return }
                        _ = promised.withLock { $0.insert("r\(round)-\(number)") }
                    },
                    until: { isDead.withLock { $0 } }
                )
                try await killer
                bus = try await world.startBus()
            }
            let ids = promised.withLock { $0 }
            #expect(ids.count > 100, "the load was too light to prove anything: \(ids.count)")
            try await settle(world, bus)
            let arrived = try world.arrivals()
            let lost = ids.subtracting(arrived.keys)
            #expect(lost.isEmpty, "\(lost.count) of \(ids.count) were lost")
            let repeated = arrived.filter { $0.value.count > 1 }
            #expect(repeated.count <= 5 * Self.underWay)
            #expect(repeated.values.allSatisfy { Set($0).count == 1 }, "a repeated push must keep its apns-id")
            for id in ids.shuffled().prefix(50) {
                let text = try await world.status(of: id, at: bus, becomes: "<value>SENT</value>")
                #expect(text.contains("<value>SENT</value>"), "\(id): \(text)")
            }
            #expect(bus.terminate() == 0)
        }
    }

    /// How many calls to the bank may be under way at once, and so may come twice after a crash.
    private static let callsUnderWay = 32

    @Test("the bank hears of every receipt that was answered 202, and only what was under way twice")
    func killedAmongReceipts() async throws {
        var options = SandboxOptions()
        options.recordLimit = 100_000
        try await World.with(sandbox: options) { world in
            try world.tellBank("events: [opened]")
            var bus = try await world.startBus()
            let phones = try await world.phones(25, at: bus)
            var promised: [String] = []
            for round in 0..<5 {
                let ids = (0..<10).map { "r\(round)-\($0)" }
                for id in ids { try await world.notify(id, phones.map(\.spelling), at: bus) }
                let victim = bus
                async let killer: Void = {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 50...500)))
                    victim.kill9()
                }()
                promised += await Self.tell(world, victim, phones, ids)
                try await killer
                bus = try await world.startBus()
            }
            let told = Set(promised)
            #expect(told.count > 20, "the load was too light to prove anything: \(told.count)")
            let pairs = try await world.heard("pushIsOpened") { told.isSubset(of: $0.map(\.pair)) }.map(\.pair)
            #expect(pairs.count - Set(pairs).count <= 5 * Self.callsUnderWay)
            for pair in told.shuffled().prefix(20) {
                let parts = pair.split(separator: " ").map(String.init)
                let entry = "<key>\(parts[1])</key><value>READ</value>"
                let text = try await world.status(of: parts[0], at: bus, becomes: entry)
                #expect(text.contains(entry), "\(pair): \(text)")
            }
            #expect(bus.terminate() == 0)
        }
    }

    /// Has all phones tell at once that they opened all notifications; returns what was answered 202.
    private static func tell(
        _ world: World,
        _ bus: BusProcess,
        _ phones: [Phone],
        _ ids: [String]
    ) async -> [String] {
        await withTaskGroup(of: String?.self) { group in
            for phone in phones {
                for id in ids {
                    group.addTask {
                        let status = try? await world.receipt("opened", id, phone, at: bus)
                        return status == 202 ? "\(id) \(phone.spelling)" : nil
                    }
                }
            }
            return await group.reduce(into: []) { promised, answer in if let answer { promised.append(answer) } }
        }
    }

    /// Waits until nothing is left to deliver.
    private func settle(_ world: World, _ bus: BusProcess) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let metrics = String(decoding: try await world.admin("GET", bus, "/metrics").body, as: UTF8.self)
            if metrics.contains("busd_queue_depth{pipeline=\"bank\",lane=\"bulk\"} 0\n") { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("the backlog did not drain")
    }
}
