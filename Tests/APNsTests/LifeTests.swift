// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import PushService
import PushTesting
import Testing

@testable import APNs

@Suite(.timeLimit(.minutes(1)))
struct LifeTests {
    @Test("A probe connects and sends nothing")
    func probe() async throws {
        let fixture = try Fixture()
        #expect(await fixture.channel.probe() == nil)
        #expect(await fixture.channel.probe() == nil)
        #expect(fixture.server.counters.acceptedConnections == 1)
        #expect(fixture.requests.all.isEmpty)
    }

    @Test("A probe tells why there is no connection")
    func failingProbe() async throws {
        let fixture = try Fixture()
        fixture.server.stop()
        let port = fixture.server.port
        let problem = await fixture.channel.probe()
        #expect(problem?.lowercased() == "cannot connect to localhost:\(port): connection refused")
    }

    @Test("Draining waits for answers, and what comes later is told to try again")
    func drain() async throws {
        let fixture = try Fixture { _, _ in .after(50_000_000, ok) }
        let channel = fixture.channel
        async let running: Void = channel.run()
        channel.send([delivery(1), delivery(2)], to: fixture.collector)
        _ = await fixture.channel.probe()
        await channel.drain()
        try await running
        #expect(await fixture.collector.outcomes(2) == [1: .accepted, 2: .accepted])
        channel.send([delivery(3)], to: fixture.collector)
        let late = await fixture.collector.outcomes(3)[3]
        #expect(late == .retry(after: nil, scope: .delivery, reason: "the pool is closed"))
    }

    @Test("Cancelling cuts what is on its way, and says that it is unknown")
    func cancel() async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let fixture = try Fixture { _, _ in
            arrival.yield()
            return .silent
        }
        let channel = fixture.channel
        let running = Task { try await channel.run() }
        channel.send([delivery()], to: fixture.collector)
        for await _ in arrived { break }
        running.cancel()
        try await running.value
        guard case .unknown = await fixture.collector.outcomes(1)[1] else {
            Issue.record("\(await fixture.collector.outcomes(1))")
            return
        }
    }

    @Test("What one connection may not finish is not lost when Apple says goodbye")
    func goAway() async throws {
        let fixture = try Fixture { number, _ in number == 20 ? .all([.goAway(.current), ok]) : ok }
        let outcomes = await fixture.send((1...200).map { delivery($0, token: "0\($0)") })
        #expect(outcomes.count == 200 && outcomes.values.allSatisfy { $0 == .accepted })
    }

    @Test("The far end that does not answer leaves the outcome unknown at the deadline")
    func silence() async throws {
        let fixture = try Fixture { _, _ in .silent }
        let outcomes = await fixture.send([delivery(1, seconds: 1)])
        #expect(outcomes == [1: .unknown(reason: "no answer in time")])
    }
}
