// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import Threads

@testable import HTTP2

@Suite(.timeLimit(.minutes(1)))
struct StreamTests {
    @Test("GOAWAY every 50 streams: all are answered, none that was processed is sent again")
    func goAway() async throws {
        let arrivals = Arrivals()
        let processed = Mutex<[UInt64: Int]>([:])
        let fixture = try Fixture { request in
            let count = processed.withLock { processed in
                processed[request.stream.connection, default: 0] += 1
                return processed[request.stream.connection, default: 0]
            }
            guard count <= 50 else { return .silent }
            arrivals.note(request)
            return count < 50 ? ok : .all([ok, .goAway(.current, debugData: Array("{\"reason\":\"test\"}".utf8))])
        }
        defer { fixture.stop() }
        fixture.submit(2_000)
        let results = await fixture.collector.results(2_000)
        #expect(results.count == 2_000)
        #expect(results.allSatisfy { $0.outcome.status == 200 })
        #expect(arrivals.all.count == 2_000)
        #expect(arrivals.all.values.allSatisfy { $0 == 1 })
        #expect(fixture.pool.counters.reconnects >= 39)
    }

    @Test("A stream above the last of a GOAWAY is sent again at once, the others keep waiting")
    func goAwayBefore() async throws {
        let arrivals = Arrivals()
        let held = Mutex<[HTTP2ServerStream]>([])
        let fixture = try Fixture(client: { $0.startsCarefully = false }) { request in
            arrivals.note(request)
            guard request.stream.connection == 1 else { return ok }
            if request.path == "/3/device/9" { return .goAway(.beforeCurrent) }
            held.withLock { $0.append(request.stream) }
            return .silent
        }
        defer { fixture.stop() }
        fixture.submit(10)
        #expect(await fixture.collector.results(1).map(\.tag) == [9])
        for stream in held.withLock(\.self) { fixture.server.perform(ok, on: stream) }
        let results = await fixture.collector.results(10)
        #expect(results.allSatisfy { $0.outcome.status == 200 })
        #expect(arrivals.all.allSatisfy { $0.value == ($0.key == "/3/device/9" ? 2 : 1) })
    }

    @Test("A connection whose stream numbers are used up is replaced")
    func exhaustion() async throws {
        let fixture = try Fixture(client: { $0.firstStream = .max - 8 }) { _ in ok }
        defer { fixture.stop() }
        fixture.submit(20)
        let results = await fixture.collector.results(20)
        #expect(results.allSatisfy { $0.outcome.status == 200 })
        #expect(fixture.server.counters.acceptedConnections >= 4)
    }

    @Test("A refused stream is sent again and answered once")
    func refusedStream() async throws {
        let arrivals = Arrivals()
        let fixture = try Fixture { request in
            arrivals.note(request) == 1 && request.path.hasSuffix("7") ? .reset(7) : ok
        }
        defer { fixture.stop() }
        fixture.submit(500)
        let results = await fixture.collector.results(500)
        #expect(results.count == 500)
        #expect(results.allSatisfy { $0.outcome.status == 200 })
        #expect(arrivals.all.allSatisfy { $0.value == ($0.key.hasSuffix("7") ? 2 : 1) })
    }

    @Test("A stream refused for ever ends at its deadline as unsent")
    func refusedForEver() async throws {
        let fixture = try Fixture { _ in .reset(7) }
        defer { fixture.stop() }
        fixture.submit(3, seconds: 0.3)
        let results = await fixture.collector.results(3)
        #expect(results.allSatisfy { $0.outcome.failure?.kind == .deadline })
    }

    @Test("A request that alone is refused for ever does not hold up the others, not even on a fresh connection")
    func refusedAlone() async throws {
        let fixture = try Fixture { $0.path.hasSuffix("/0") ? .reset(7) : ok }
        defer { fixture.stop() }
        fixture.submit(5, seconds: 5)
        let results = await fixture.collector.results(4)
        #expect(results.prefix(4).allSatisfy { $0.outcome.status == 200 })
    }

    @Test("The stream limit is obeyed as it goes from 1 to 100 to 5")
    func liveLimit() async throws {
        let fixture = try Fixture(
            server: { $0.maxConcurrentStreams = 1 },
            client: {
                $0.maxConnections = 1
                $0.startsCarefully = false
            },
            handler: { _ in .after(2_000_000, ok) }
        )
        defer { fixture.stop() }
        fixture.submit(20)
        _ = await fixture.collector.results(20)
        #expect(fixture.server.counters.mostConcurrentStreams == 1)
        fixture.server.setMaxConcurrentStreams(100)
        fixture.submit(2_000)
        _ = await fixture.collector.results(500)
        fixture.server.setMaxConcurrentStreams(5)
        _ = await fixture.collector.results(2_020)
        #expect((50...100).contains(fixture.server.counters.mostConcurrentStreams))
        fixture.server.resetMostConcurrentStreams()
        fixture.submit(200)
        let results = await fixture.collector.results(2_220)
        #expect(results.allSatisfy { $0.outcome.status == 200 })
        #expect(fixture.server.counters.mostConcurrentStreams == 5)
        #expect(fixture.server.counters.protocolErrors == 0)
        #expect(fixture.server.counters.acceptedConnections == 1)
    }

    @Test("A fresh connection carries one request at a time until one succeeds")
    func probing() async throws {
        let arrivals = Mutex(0)
        let fixture = try Fixture(client: { $0.maxConnections = 1 }) { _ in
            let count = arrivals.withLock { count in
                count += 1
                return count
            }
            // Refusals do not open the gate.
            return .after(3_000_000, count <= 3 ? .respond(HTTP2ServerResponse(403)) : ok)
        }
        defer { fixture.stop() }
        fixture.submit(4)
        _ = await fixture.collector.results(4)
        #expect(fixture.server.counters.mostConcurrentStreams == 1)
        fixture.submit(50)
        _ = await fixture.collector.results(54)
        #expect(fixture.server.counters.mostConcurrentStreams > 10)
    }

    @Test("An urgent request goes before bulk that waits, and finds a stream that bulk may not take")
    func urgentFirst() async throws {
        let stalled = Mutex<[HTTP2ServerStream]>([])
        let fixture = try Fixture(
            server: { $0.maxConcurrentStreams = 16 },
            client: { $0.maxConnections = 1 },
            handler: { request in
                if request.path.hasPrefix("/ok") { return ok }
                stalled.withLock { $0.append(request.stream) }
                return .silent
            }
        )
        defer { fixture.stop() }
        fixture.submit(1, path: "/ok")
        _ = await fixture.collector.results(1)
        fixture.submit(1_000, first: 1, path: "/bulk")
        try await until { fixture.server.counters.mostConcurrentStreams == 14 }
        fixture.submit(5, first: 5_000, path: "/ok", urgent: true)
        let results = await fixture.collector.results(6)
        #expect(Set(results.dropFirst().map(\.tag)) == Set(5_000..<5_005))
        #expect(stalled.withLock(\.count) == 14)
    }

    @Test("A pool held up by the stream limit grows, up to its bound")
    func growth() async throws {
        let fixture = try Fixture(
            server: { $0.maxConcurrentStreams = 2 },
            client: {
                $0.maxConnections = 3
                $0.growAfter = 10_000_000
            },
            handler: { _ in .after(5_000_000, ok) }
        )
        defer { fixture.stop() }
        fixture.submit(300)
        let results = await fixture.collector.results(300)
        #expect(results.allSatisfy { $0.outcome.status == 200 })
        #expect(fixture.server.counters.acceptedConnections == 3)
    }

    @Test("Large bodies pass through small windows")
    func flowControl() async throws {
        let fixture = try Fixture(server: {
            $0.streamWindow = 1_000
            $0.connectionWindow = 65_535
        }) { request in
            request.body.count == 4_096 && request.body.allSatisfy { $0 == 7 }
                ? ok : .respond(HTTP2ServerResponse(400))
        }
        defer { fixture.stop() }
        fixture.submit(500, body: Array(repeating: 7, count: 4_096))
        let results = await fixture.collector.results(500)
        #expect(results.allSatisfy { $0.outcome.status == 200 })
    }
}
