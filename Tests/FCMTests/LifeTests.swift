// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import PushService
import PushTesting
import Testing

@testable import FCM

@Suite(.timeLimit(.minutes(1)))
struct LifeTests {
    @Test("A probe asks for a token, connects, and sends nothing")
    func probe() async throws {
        let fixture = try Fixture()
        #expect(await fixture.channel.probe() == nil)
        #expect(await fixture.channel.probe() == nil)
        #expect(fixture.grants.all.count == 1)
        #expect(fixture.server.counters.acceptedConnections == 1)
        #expect(fixture.requests.all.isEmpty)
    }

    @Test("A probe tells why there is no token, or no connection")
    func failingProbe() async throws {
        let tokenless = try Fixture(grant: { _, _ in answer(401, #"{"error":"invalid_client"}"#) })
        let reason = "no access token: the token endpoint says 401 invalid_client: there is no such service account"
        #expect(await tokenless.channel.probe() == reason)
        let fixture = try Fixture()
        fixture.server.stop()
        let problem = await fixture.channel.probe()
        #expect(problem?.lowercased() == "cannot connect to localhost:\(fixture.server.port): connection refused")
    }

    @Test("Draining waits for the token and for answers, and what comes later is told to try again")
    func drain() async throws {
        let fixture = try Fixture { _, _ in .after(50_000_000, ok) }
        let channel = fixture.channel
        async let running: Void = channel.run()
        _ = await channel.probe()
        channel.send([android(1), android(2)], to: fixture.collector)
        await channel.drain()
        try await running
        #expect(await fixture.collector.outcomes(2) == [1: .accepted, 2: .accepted])
        channel.send([android(3)], to: fixture.collector)
        let late = await fixture.collector.outcomes(3)[3]
        #expect(late == .retry(after: nil, scope: .delivery, reason: "the pool is closed"))
    }

    @Test("Cancelling gives back what waits for a token")
    func cancel() async throws {
        let (asked, asking) = AsyncStream.makeStream(of: Void.self)
        let fixture = try Fixture(grant: { _, _ in
            asking.yield()
            return .silent
        })
        let channel = fixture.channel
        let running = Task { try await channel.run() }
        channel.send([android()], to: fixture.collector)
        for await _ in asked { break }
        running.cancel()
        try await running.value
        let expected = Outcome.retry(after: nil, scope: .delivery, reason: "the channel was stopped")
        #expect(await fixture.collector.outcomes(1) == [1: expected])
    }

    @Test("What one connection may not finish is not lost when Google says goodbye")
    func goAway() async throws {
        let fixture = try Fixture { number, _ in number == 20 ? .all([.goAway(.current), ok]) : ok }
        let outcomes = await fixture.send((1...200).map { android($0) })
        #expect(outcomes.count == 200 && outcomes.values.allSatisfy { $0 == .accepted })
    }

    @Test("The channel serves Android devices within a project's quota")
    func reach() throws {
        let channel = try Fixture().channel
        #expect(channel.reach == .devices([.android]))
        #expect(channel.rate == 10_000)
    }
}
