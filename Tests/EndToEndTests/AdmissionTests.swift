// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import Sandbox
import Synchronization
import Testing

@Suite("Large requests among others", .timeLimit(.minutes(3)))
struct AdmissionTests {
    private static let inbound = "  - rest_bank: { path: /api/v1, max_body: 16MiB }"

    private static func body(_ id: String, _ users: String, priority: Int = 5) -> String {
        """
        {"id": "\(id)", "recipients": [\(users)], "timeout": 600, "priority": \(priority),
         "pushContent": {"badge": 0, "text": "text", "type": "UNIVERSAL"}}
        """
    }

    /// What others were answered, and how long the slowest of them waited.
    private final class Others: Sendable {
        struct State {
            var statuses: [Int: Int] = [:]
            var slowest = Duration.zero
            var isOver = false
        }
        let state = Mutex(State())

        /// Calls again and again until it is over; `expected` is the status of an answer that is no refusal.
        func call(_ body: (Int) async throws -> Int) async throws {
            var number = 0
            while !state.withLock({ $0.isOver }) {
                number += 1
                let began = ContinuousClock.now
                let status = try await body(number)
                let took = ContinuousClock.now - began
                state.withLock {
                    $0.statuses[status, default: 0] += 1
                    $0.slowest = max($0.slowest, took)
                }
            }
        }
    }

    @Test("four posts of 98,000 recipients at once cost nobody else a 503")
    func largeOnes() async throws {
        try await World.with(inbound: Self.inbound) { world in
            let bus = try await world.startBus()
            let crowd = (0..<98_000).map { "\"user\($0)\"" }.joined(separator: ",")
            let others = Others()
            let large = try await withThrowingTaskGroup(of: Void.self) { group in
                for priority in [5, 9] {
                    group.addTask {
                        try await others.call { number in
                            let body = Self.body("s\(priority)-\(number)", "\"u\(number)\"", priority: priority)
                            return try await world.send("POST", bus, "/api/v1/notifications", "", body).status
                        }
                    }
                }
                group.addTask {
                    try await others.call { number in
                        try await world.register("r\(number)", device: "d\(number)", token: "aa", at: bus).status
                    }
                }
                let answers = try await Self.sendLarge(crowd, world, bus)
                others.state.withLock { $0.isOver = true }
                try await group.waitForAll()
                return answers
            }
            let found = others.state.withLock { $0 }
            print("large: \(large), others: \(found.statuses), the slowest took \(found.slowest)")
            #expect(found.statuses.keys.sorted() == [201, 202])
            #expect(large.contains(202))
            #expect(bus.terminate() == 0)
        }
    }

    /// Four at once; the answers hold an entry for each recipient.
    private static func sendLarge(_ crowd: String, _ world: World, _ bus: BusProcess) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<4 {
                group.addTask {
                    var request = HTTPClientRequest(
                        method: "POST",
                        url: "http://127.0.0.1:\(bus.port)/api/v1/notifications",
                        headers: [],
                        body: Array(Self.body("large\(number)", crowd).utf8)
                    )
                    request.responseLimit = 16 << 20
                    request.timeLimit = .seconds(60)
                    return try await world.client.send(request).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
