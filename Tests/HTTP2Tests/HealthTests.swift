// SPDX-License-Identifier: Apache-2.0

import Bus
import PushTesting
import Synchronization
import Testing

@testable import HTTP2

/// One of a provider's machines is sick and the others are well: what is urgent is elsewhere within two seconds.
@Suite(.timeLimit(.minutes(1)))
struct HealthTests {
    private static let bar = Duration.seconds(2)

    /// A server that goes by the number of the connection and of the request on it, both from 1.
    private func fixture(
        client: (inout HTTP2PoolConfiguration) -> Void = { _ in },
        _ script: @escaping @Sendable (_ connection: UInt64, _ request: Int) -> HTTP2ServerAction
    ) throws -> Fixture {
        let counts = Mutex<[UInt64: Int]>([:])
        return try Fixture(client: client) { request in
            let connection = request.stream.connection
            let number = counts.withLock { counts in
                counts[connection, default: 0] += 1
                return counts[connection, default: 0]
            }
            return script(connection, number)
        }
    }

    /// Sends one urgent request; returns what came of it, and when.
    private func urgent(_ fixture: Fixture, tag: Int = 9_000) async -> (HTTP2Outcome?, Duration) {
        var count = fixture.collector.all.count
        let start = ContinuousClock.now
        fixture.submit(1, first: tag, urgent: true, mayRepeat: true)
        while true {
            let results = await fixture.collector.results(count + 1)
            if let result = results.first(where: { $0.tag == UInt64(tag) }) {
                return (result.outcome, ContinuousClock.now - start)
            }
            count = results.count
        }
    }

    @Test("An urgent request behind a first one that is never answered goes over another connection")
    func muteFirst() async throws {
        let fixture = try fixture { connection, number in connection == 1 && number == 1 ? .silent : ok }
        defer { fixture.stop() }
        fixture.submit(1, mayRepeat: true)
        try await until { fixture.server.counters.requests == 1 }
        let (outcome, time) = await urgent(fixture)
        #expect(outcome?.status == 200)
        #expect(time < Self.bar)
    }

    @Test("An urgent request that is itself the first and never answered is repeated elsewhere")
    func muteItself() async throws {
        let fixture = try fixture { connection, number in connection == 1 && number == 1 ? .silent : ok }
        defer { fixture.stop() }
        let (outcome, time) = await urgent(fixture)
        #expect(outcome?.status == 200)
        #expect(time < Self.bar)
    }

    @Test("Where the first request of each connection is never answered the second one is")
    func muteFirstOfEach() async throws {
        let fixture = try fixture { _, number in number == 1 ? .silent : ok }
        defer { fixture.stop() }
        fixture.submit(1, mayRepeat: true)
        try await until { fixture.server.counters.requests == 1 }
        let (outcome, time) = await urgent(fixture)
        #expect(outcome?.status == 200)
        #expect(time < Self.bar)
    }

    @Test("A connection that fell silent is left, and what waited on it is told soon")
    func muteAfterMany() async throws {
        let fixture = try fixture { connection, number in connection == 1 && number > 50 ? .silent : ok }
        defer { fixture.stop() }
        fixture.submit(50)
        _ = await fixture.collector.results(50)
        fixture.submit(300, first: 100, mayRepeat: true)
        try await until { fixture.server.counters.requests > 100 }
        let start = ContinuousClock.now
        let (outcome, time) = await urgent(fixture)
        #expect(outcome?.status == 200)
        #expect(time < Self.bar)
        let results = await fixture.collector.results(351)
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(results.allSatisfy { $0.outcome.status == 200 || $0.outcome.isUnknown })
        #expect(results.filter { $0.outcome.isUnknown }.count <= 100)
        try await until { fixture.server.counters.openConnections == 1 }
    }

    @Test("A connection that answers 500 to everything is left, and what is urgent sent elsewhere at once")
    func failing() async throws {
        let fixture = try fixture { connection, _ in connection == 1 ? .respond(HTTP2ServerResponse(500)) : ok }
        defer { fixture.stop() }
        let (outcome, time) = await urgent(fixture)
        #expect(outcome?.status == 200)
        #expect(time < .seconds(1))
        fixture.submit(50)
        let results = await fixture.collector.results(51)
        #expect(results.allSatisfy { $0.outcome.status == 200 })
        try await until { fixture.server.counters.openConnections == 1 }
    }

    @Test("A connection that worked and then only fails is left after a few errors")
    func failingLater() async throws {
        let fixture = try fixture { connection, number in
            connection == 1 && number > 20 ? .respond(HTTP2ServerResponse(503)) : ok
        }
        defer { fixture.stop() }
        fixture.submit(20)
        _ = await fixture.collector.results(20)
        for tag in 100..<110 {
            fixture.submit(1, first: tag)
            _ = await fixture.collector.results(tag - 79)
        }
        #expect(fixture.collector.all.filter { $0.outcome.status == 503 }.count == 3)
        try await until { fixture.server.counters.openConnections == 1 }
    }

    @Test("A far end that fails everywhere is not flooded, and its errors are told as they are")
    func failingEverywhere() async throws {
        let fixture = try fixture { _, _ in .respond(HTTP2ServerResponse(503)) }
        defer { fixture.stop() }
        for tag in 0..<200 {
            fixture.submit(1, first: tag, urgent: tag % 2 == 0, mayRepeat: true)
            _ = await fixture.collector.results(tag + 1)
        }
        #expect(fixture.collector.all.allSatisfy { $0.outcome.status == 503 })
        #expect(fixture.server.counters.acceptedConnections <= 4)
    }

    @Test("A far end that is silent everywhere is not flooded, and what was never sent is told as such")
    func silentEverywhere() async throws {
        // Pauses are a random part of their span: with the usual one a sixth connection comes once in hundreds of runs.
        let fixture = try fixture(client: {
            $0.doubtAfter = 50_000_000...200_000_000
            $0.replacement = 2_000_000_000...20_000_000_000
        }) { _, _ in .silent }
        defer { fixture.stop() }
        fixture.submit(100, mayRepeat: true, seconds: 3)
        let results = await fixture.collector.results(100)
        let unsent = results.compactMap(\.outcome.failure)
        #expect(unsent.count >= 90)
        #expect(unsent.allSatisfy { $0.kind == .connect && $0.description.hasSuffix("does not answer") })
        #expect(fixture.server.counters.acceptedConnections <= 5)
        #expect(fixture.server.counters.requests <= 10)
    }

    @Test("What may not be repeated is sent once, and its outcome is unknown", arguments: [true, false])
    func once(isUrgent: Bool) async throws {
        let fixture = try fixture(client: { $0.doubtAfter = 50_000_000...50_000_000 }) { connection, _ in
            connection == 1 ? .silent : ok
        }
        defer { fixture.stop() }
        fixture.submit(1, urgent: isUrgent, seconds: 1)
        #expect(await fixture.collector.results(1)[0].outcome == .unknown("no answer in time"))
        #expect(fixture.server.counters.requests == 1)
    }

    @Test("What was sent and then finds no other connection is not called unsent")
    func ambiguous() async throws {
        let fixture = try fixture(client: { $0.doubtAfter = 50_000_000...50_000_000 }) { _, _ in .silent }
        defer { fixture.stop() }
        fixture.submit(1, urgent: true, mayRepeat: true, seconds: 1)
        #expect(await fixture.collector.results(1)[0].outcome.isUnknown)
    }

    @Test("A far end that is slow and well is given the time it needs")
    func slow() async throws {
        let fixture = try fixture(client: { $0.doubtAfter = 50_000_000...2_000_000_000 }) { _, _ in
            .after(150_000_000, ok)
        }
        defer { fixture.stop() }
        for tag in 0..<8 {
            fixture.submit(1, first: tag, urgent: true, mayRepeat: true)
            _ = await fixture.collector.results(tag + 1)
        }
        #expect(fixture.collector.all.allSatisfy { $0.outcome.status == 200 })
        let before = fixture.server.counters.requests
        fixture.submit(1, first: 100, urgent: true, mayRepeat: true)
        _ = await fixture.collector.results(9)
        #expect(fixture.server.counters.requests == before + 1)
    }

    @Test("A probe finds a fresh connection where the old one is in doubt")
    func probe() async throws {
        let fixture = try fixture(client: { $0.doubtAfter = 50_000_000...50_000_000 }) { _, _ in .silent }
        defer { fixture.stop() }
        fixture.submit(1, seconds: 0.1)
        _ = await fixture.collector.results(1)
        #expect(await withCheckedContinuation { done in fixture.pool.connect { done.resume(returning: $0) } } == nil)
        #expect(fixture.server.counters.acceptedConnections == 2)
    }
}
