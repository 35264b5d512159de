// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FailureTests {
    @Test("What was in flight on a dropped connection is unknown, what waited is sent on the next")
    func dropped() async throws {
        let arrivals = Arrivals()
        let total = Mutex(0)
        let fixture = try Fixture { request in
            arrivals.note(request)
            let count = total.withLock { total in
                total += 1
                return total
            }
            return count % 100 == 0 ? .drop : ok
        }
        defer { fixture.stop() }
        fixture.submit(2_000)
        let results = await fixture.collector.results(2_000)
        #expect(results.count == 2_000)
        #expect(Set(results.map(\.tag)).count == 2_000)
        #expect(results.allSatisfy { $0.outcome.status == 200 || $0.outcome.isUnknown })
        #expect(results.contains { $0.outcome.isUnknown })
        #expect(arrivals.all.values.allSatisfy { $0 == 1 })
    }

    @Test("Silence ends in an unknown outcome, and the stream is free again")
    func silence() async throws {
        let fixture = try Fixture(client: { $0.maxConnections = 1 }) { request in
            request.path.hasPrefix("/silent") ? .silent : ok
        }
        defer { fixture.stop() }
        fixture.submit(1, path: "/silent", seconds: 0.1)
        #expect(await fixture.collector.results(1)[0].outcome == .unknown("no answer in time"))
        fixture.submit(300, first: 1)
        let results = await fixture.collector.results(301)
        #expect(results.dropFirst().allSatisfy { $0.outcome.status == 200 })
        #expect(fixture.server.counters.acceptedConnections == 1)
    }

    @Test("The request timeout holds where the deadline is far")
    func requestTimeout() async throws {
        let fixture = try Fixture(client: { $0.requestTimeout = 50_000_000 }) { _ in .silent }
        defer { fixture.stop() }
        fixture.submit(1, seconds: 600)
        #expect(await fixture.collector.results(1)[0].outcome.isUnknown)
    }

    @Test("Bodies are kept to 16 KiB", arguments: [0, 1, 16_384, 16_385, 3_000_000])
    func bodies(size: Int) async throws {
        let body = [UInt8](repeating: 0x3C, count: size)
        let fixture = try Fixture { _ in .respond(HTTP2ServerResponse(502, body: body)) }
        defer { fixture.stop() }
        fixture.submit(5)
        for result in await fixture.collector.results(5) {
            let kept = [UInt8](body.prefix(16_384))
            #expect(
                result.outcome == .response(HTTP2Response(status: 502, body: kept, isTruncated: size > 16_384))
            )
        }
    }

    @Test("A reset that is no refusal leaves the outcome unknown")
    func reset() async throws {
        let fixture = try Fixture { _ in .reset(2) }
        defer { fixture.stop() }
        fixture.submit(1)
        #expect(await fixture.collector.results(1)[0].outcome == .unknown("the stream was reset: INTERNAL_ERROR"))
    }

    @Test("A storm of refusals opens no further connections")
    func storm() async throws {
        let fixture = try Fixture(client: { $0.growAfter = 1_000_000 }) { _ in
            .after(500_000, .respond(HTTP2ServerResponse(403)))
        }
        defer { fixture.stop() }
        fixture.submit(300)
        let results = await fixture.collector.results(300)
        #expect(results.allSatisfy { $0.outcome.status == 403 })
        #expect(fixture.server.counters.acceptedConnections == 1)
    }

    @Test("ENHANCE_YOUR_CALM pauses before the next connection")
    func calm() async throws {
        let fixture = try Fixture(client: { $0.backoff = 300_000_000...300_000_000 }) { request in
            request.stream.connection == 1 ? .all([ok, .goAway(.current, code: 11)]) : ok
        }
        defer { fixture.stop() }
        fixture.submit(3)
        let results = await fixture.collector.results(3)
        #expect(results.allSatisfy { $0.outcome.status == 200 })
        #expect(fixture.server.counters.acceptedConnections == 2)
    }

    @Test("A peer that answers no PING is left")
    func deadPeer() async throws {
        // The listener's backlog accepts, the handler's thread is held: nothing is read or answered.
        let gate = Mutex(())
        let isHeld = Atomic(true)
        let fixture = try Fixture(
            client: {
                $0.pingInterval = 100_000_000
                $0.pingTimeout = 100_000_000
            },
            handler: { _ in
                while isHeld.load(ordering: .relaxed) { gate.withLock { _ in } }
                return ok
            }
        )
        defer { fixture.stop() }
        fixture.submit(1)
        let outcome = await fixture.collector.results(1)[0].outcome
        isHeld.store(false, ordering: .relaxed)
        #expect(outcome == .unknown("the connection was lost: no answer to PING"))
    }

    @Test("A peer that answers PING is kept")
    func livePeer() async throws {
        let fixture = try Fixture(
            client: {
                $0.pingInterval = 20_000_000
                $0.pingTimeout = 200_000_000
            },
            handler: { _ in .after(500_000_000, ok) }
        )
        defer { fixture.stop() }
        fixture.submit(1)
        #expect(await fixture.collector.results(1)[0].outcome.status == 200)
        #expect(fixture.server.counters.acceptedConnections == 1)
    }

    @Test("A full queue refuses at once and takes again when it has room")
    func overloaded() async throws {
        let fixture = try Fixture(client: { $0.queueBound = 10 }) { _ in ok }
        defer { fixture.stop() }
        fixture.submit(25)
        let results = await fixture.collector.results(25)
        #expect(results.filter { $0.outcome.status == 200 }.map(\.tag).sorted() == Array(0..<10))
        #expect(results.filter { $0.outcome.failure?.kind == .overloaded }.count == 15)
        #expect(fixture.pool.counters.admitted == 0)
        fixture.submit(10, first: 100)
        #expect(await fixture.collector.results(35).filter { $0.outcome.status == 200 }.count == 20)
    }

    @Test("Stopping answers everything: what waits is unsent, what is in flight unknown")
    func stop() async throws {
        let fixture = try Fixture(
            server: { $0.maxConcurrentStreams = 8 },
            client: {
                $0.maxConnections = 1
                $0.startsCarefully = false
            },
            handler: { _ in .silent }
        )
        defer { fixture.stop() }
        fixture.submit(100)
        try await until { fixture.server.counters.requests == 7 }
        fixture.pool.stop()
        let results = await fixture.collector.results(100)
        #expect(results.filter { $0.outcome.isUnknown }.count == 7)
        #expect(results.filter { $0.outcome.failure?.kind == .closed }.count == 93)
        fixture.submit(1, first: 100)
        #expect(await fixture.collector.results(101)[100].outcome.failure?.kind == .closed)
        fixture.loop.stop()
        fixture.submit(1, first: 101)
        #expect(await fixture.collector.results(102)[101].outcome.failure?.kind == .closed)
    }

    @Test("Draining sends what waits, then closes")
    func drain() async throws {
        let fixture = try Fixture { _ in .after(1_000_000, ok) }
        defer { fixture.stop() }
        fixture.submit(500)
        fixture.pool.drain(within: 20_000_000_000)
        fixture.submit(1, first: 500)
        let results = await fixture.collector.results(501)
        #expect(results.filter { $0.outcome.status == 200 }.count == 500)
        #expect(results.first { $0.tag == 500 }?.outcome.failure?.kind == .closed)
        try await until { fixture.server.counters.openConnections == 0 }
    }

    @Test("Reconnecting lets what is in flight finish on the old connection")
    func reconnect() async throws {
        let fixture = try Fixture { request in
            let number = Array(String(request.stream.connection).utf8)
            return .after(
                request.path.hasPrefix("/slow") ? 100_000_000 : 0,
                .respond(HTTP2ServerResponse(200, body: number))
            )
        }
        defer { fixture.stop() }
        fixture.submit(1)
        _ = await fixture.collector.results(1)
        fixture.submit(1, first: 1, path: "/slow")
        try await until { fixture.server.counters.requests == 2 }
        fixture.pool.reconnect()
        fixture.submit(1, first: 2)
        let results = await fixture.collector.results(3)
        func connection(_ tag: UInt64) -> [UInt8] {
            guard case .response(let response)? = results.first(where: { $0.tag == tag })?.outcome else { return [] }
            return response.body
        }
        #expect(connection(1) == Array("1".utf8))
        #expect(connection(2) == Array("2".utf8))
        try await until { fixture.server.counters.openConnections == 1 }
    }

    @Test("A request whose headers cannot be sent is told so, and harms no other")
    func invalid() async throws {
        let fixture = try Fixture { _ in ok }
        defer { fixture.stop() }
        let deadline = MonotonicTime.now().adding(nanoseconds: 10_000_000_000)
        fixture.pool.submit([
            HTTP2Request(tag: 0, path: "/a\r\nb", body: [], deadline: deadline),
            HTTP2Request(
                tag: 1,
                path: "/",
                ownHeaders: [HTTP2Header("x", String(repeating: "y", count: 20_000))],
                body: [],
                deadline: deadline
            ),
            HTTP2Request(tag: 2, path: "/", body: [], deadline: deadline),
        ])
        let results = await fixture.collector.results(3).sorted { $0.tag < $1.tag }
        #expect(results[0].outcome.failure?.kind == .invalid)
        #expect(results[1].outcome.failure?.kind == .invalid)
        #expect(results[2].outcome.status == 200)
    }
}
