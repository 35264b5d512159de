// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import JSON
import LoadClient
import Sandbox
import Synchronization
import Testing

@Suite("Many connections at once", .serialized, .timeLimit(.minutes(4)))  // They would measure each other.
struct LoadTests {
    @Test(
        "no request takes over a second, exactly the used ids are duplicates, and each notification arrives once",
        arguments: [128, 256, 1_000]
    )
    func duplicates(connections: Int) async throws {
        var options = SandboxOptions()
        options.recordLimit = 20_000
        try await World.with(sandbox: options) { world in
            let bus = try await world.startBus()
            for user in 0..<20 {
                try await world.register("user\(user)", device: "d\(user)", token: "\(10 + user)", at: bus)
            }
            let used = 500
            try await load(bus, count: used, connections: connections) { "n\($0)" }
            let tally = Mutex((ok: Set<Int>(), duplicate: Set<Int>()))
            let count = 2 * connections
            let result = try await load(bus, count: count, connections: connections) { number in
                number % 2 == 0 ? "n\(number % used)" : "fresh\(number)"
            } answered: { number, _, body in
                let text = String(decoding: body, as: UTF8.self)
                tally.withLock { tally in
                    if text.contains("<status>OK</status>") { tally.ok.insert(number) }
                    if text.contains("<status>DUPLICATED_ENTITY</status>") { tally.duplicate.insert(number) }
                }
            }
            #expect(result.statuses == [200: count])
            #expect(result.percentile(1) < 1_000_000_000, "the slowest took \(result.percentile(1) / 1_000_000) ms")
            let (ok, duplicate) = tally.withLock { $0 }
            #expect(ok == Set((0..<count).filter { $0 % 2 == 1 }))
            #expect(duplicate == Set((0..<count).filter { $0 % 2 == 0 }))
            await world.sandbox.apns.arrived(used + count / 2)
            _ = try await world.status(of: "fresh\(count - 1)", at: bus, becomes: "SENT")
            let arrived = try world.arrivals()
            #expect(arrived.count == used + count / 2)
            #expect(arrived.values.allSatisfy { $0.count == 1 })
        }
    }
}

/// Loads a bus with notifications, one user each, from a thread of its own.
@discardableResult
func load(
    _ bus: BusProcess,
    count: Int,
    connections: Int,
    id: @escaping @Sendable (Int) -> String,
    answered: @escaping @Sendable (Int, Int, ArraySlice<UInt8>) -> Void = { _, _, _ in },
    until: @escaping @Sendable () -> Bool = { false }
) async throws -> LoadClient.Result {
    try await drive(
        bus,
        count: count,
        connections: connections,
        request: { SOAPText.request(SOAPText.notification(id($0), to: ["user\($0 % 20)"])) },
        answered: answered,
        until: until
    )
}

/// Sends requests, made by their number, from a thread of its own.
@discardableResult
func drive(
    _ bus: BusProcess,
    count: Int,
    connections: Int,
    request: @escaping @Sendable (Int) -> [UInt8],
    answered: @escaping @Sendable (Int, Int, ArraySlice<UInt8>) -> Void = { _, _, _ in },
    until: @escaping @Sendable () -> Bool = { false }
) async throws -> LoadClient.Result {
    let client = LoadClient(port: bus.port, connections: connections)
    return try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(
                with: Result {
                    try client.run(
                        count: count,
                        request: { number, bytes in bytes += request(number) },
                        answered: answered,
                        until: until
                    )
                }
            )
        }
    }
}

extension World {
    /// What the sandbox accepted: the `apns-id` of each push, by notification.
    func arrivals() throws -> [String: [String]] {
        var arrivals: [String: [String]] = [:]
        for record in sandbox.apns.records() where record.status == 200 {
            let json = try JSONValue(parsing: record.body)
            let id = try #require(json["notificationId"]?.string)
            arrivals[id, default: []].append(record.header("apns-id") ?? "")
        }
        return arrivals
    }
}
