// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import Sandbox
import Testing

@Suite("Killed while a large notification becomes deliveries", .serialized, .timeLimit(.minutes(5)))
struct LargeCrashTests {
    private static let users = 4_500
    private static let rounds = 5
    /// How many deliveries may be under way at once, and so may come twice after a crash.
    private static let underWay = 4_096

    @Test("all recipients get it, none as two deliveries, and later ones come behind")
    func killed() async throws {
        var options = SandboxOptions()
        options.recordLimit = 200_000
        try await World.with(sandbox: options) { world in
            var bus = try await world.startBus()
            try await register(world, bus)
            let users = (0..<Self.users).map { "user\($0)" }
            for round in 0..<Self.rounds {
                try await world.notify("large\(round)", users, at: bus)
                // Some before the first step, some between, some after the last.
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...60)))
                bus.kill9()
                bus = try await world.startBus()
                try await world.notify("later\(round)", ["user\(Self.users - 1)"], at: bus)
            }
            let isDrained = try await eventually {
                let metrics = String(decoding: try await world.admin("GET", bus, "/metrics").body, as: UTF8.self)
                return metrics.contains("busd_queue_depth{pipeline=\"bank\",lane=\"bulk\"} 0\n")
            }
            #expect(isDrained)
            let arrived = try world.arrivals()
            for round in 0..<Self.rounds {
                let ids = try #require(arrived["large\(round)"])
                // The id of a push is made of its delivery: as many as there are recipients, however often each came.
                #expect(Set(ids).count == Self.users)
                #expect(ids.count <= Self.users + Self.underWay)
                #expect(Set(arrived["later\(round)"] ?? []).count == 1)
                let text = try await world.status(of: "large\(round)", at: bus, becomes: "<value>SENT</value>")
                #expect(text.components(separatedBy: "<value>SENT</value>").count - 1 == Self.users)
            }
            #expect(bus.terminate() == 0)
        }
    }

    private func register(_ world: World, _ bus: BusProcess) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in 0..<16 {
                group.addTask {
                    for user in stride(from: part, to: Self.users, by: 16) {
                        let token = "\(100_000 + user)"
                        try await world.register("user\(user)", device: "d\(user)", token: token, at: bus)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
