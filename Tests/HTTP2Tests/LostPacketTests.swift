// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import PushTesting
import Testing

/// A firewall forgets a connection: packets are dropped, and nobody is told.
@Suite(.timeLimit(.minutes(1)))
struct LostPacketTests {
    /// A pool that reaches the server through a relay, with one request answered.
    private func connect() async throws -> (Fixture, Relay, HTTP2Pool, Collector) {
        let (fixture, relay, pool, collector) = try prepare()
        pool.submit([request(0)])
        #expect(await collector.results(1)[0].outcome.status == 200)
        relay.freeze()
        return (fixture, relay, pool, collector)
    }

    private func prepare() throws -> (Fixture, Relay, HTTP2Pool, Collector) {
        let fixture = try Fixture { _ in ok }
        let relay = Relay(to: fixture.server.port)
        var configuration = HTTP2PoolConfiguration(host: "localhost", port: relay.port)
        configuration.tls = HTTP2ClientTLS(extraRoots: Certificates.shared.authority)
        let collector = Collector()
        let pool = try HTTP2Pool(on: fixture.loop, configuration) { collector.add($0) }
        return (fixture, relay, pool, collector)
    }

    private func request(_ tag: UInt64, urgent: Bool = false) -> HTTP2Request {
        HTTP2Request(
            tag: tag,
            path: "/3/device/\(tag)",
            body: [],
            isUrgent: urgent,
            mayRepeat: urgent,
            deadline: MonotonicTime.now().adding(milliseconds: 60_000)
        )
    }

    @Test("A request on a connection that is lost unseen is told in ten seconds, not in seventy")
    func bulk() async throws {
        let (fixture, relay, pool, collector) = try await connect()
        let start = ContinuousClock.now
        pool.submit([request(1)])
        #expect(await collector.results(2)[1].outcome == .unknown("the connection was lost: no answer to PING"))
        #expect((.seconds(9)..<Duration.seconds(15)).contains(ContinuousClock.now - start))
        pool.submit([request(2)])
        #expect(await collector.results(3)[2].outcome.status == 200)
        relay.stop()
        fixture.stop()
    }

    @Test("A connection that hangs while it opens holds up nobody", arguments: [true, false])
    func opening(isUrgent: Bool) async throws {
        let (fixture, relay, pool, collector) = try prepare()
        relay.freezeNext()
        let start = ContinuousClock.now
        pool.submit([request(0, urgent: isUrgent)])
        #expect(await collector.results(1)[0].outcome.status == 200)
        #expect(ContinuousClock.now - start < .seconds(2))
        #expect(fixture.server.counters.requests == 1)
        relay.stop()
        fixture.stop()
    }

    @Test("An urgent one is elsewhere within two seconds")
    func urgent() async throws {
        let (fixture, relay, pool, collector) = try await connect()
        let start = ContinuousClock.now
        pool.submit([request(1, urgent: true)])
        #expect(await collector.results(2)[1].outcome.status == 200)
        #expect(ContinuousClock.now - start < .seconds(2))
        relay.stop()
        fixture.stop()
    }
}
