// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing
import Threads

@testable import HTTP2

@Suite
struct PartsTests {
    private func at(_ nanoseconds: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }

    private func exchange(_ tag: UInt64, deadline: UInt64 = .max) -> Exchange {
        Exchange(HTTP2Request(tag: tag, path: "/", body: [], deadline: at(deadline)))
    }

    @Test("A lane keeps its order while it grows, wraps and takes back")
    func lane() {
        let lane = Lane()
        var expected: [UInt64] = []
        for tag in 0..<1_000 as Range<UInt64> {
            lane.append(exchange(tag))
            expected.append(tag)
            guard tag % 3 == 0, let first = lane.removeFirst() else { continue }
            #expect(first.tag == expected.removeFirst())
            guard tag % 2 == 0 else { continue }
            lane.putBack(first)
            expected.insert(first.tag, at: 0)
        }
        #expect(lane.count == expected.count)
        #expect(lane.removeAll().map(\.tag) == expected)
    }

    @Test("A lane gives up what is late and keeps the order of the rest")
    func laneExpiry() {
        let lane = Lane()
        for tag in 0..<100 as Range<UInt64> { lane.append(exchange(tag, deadline: tag % 2 == 0 ? 10 : 20 + tag)) }
        var earliest = MonotonicTime.distantFuture
        let late = lane.removeExpired(at: at(15), earliest: &earliest)
        #expect(late.map(\.tag) == (0..<50).map { $0 * 2 })
        #expect(earliest == at(21))
        #expect(lane.removeAll().map(\.tag) == (0..<50).map { $0 * 2 + 1 })
    }

    @Test("Pauses stay under a span that doubles, up to its end, and begin anew after an answer")
    func backoff() {
        var backoff = Backoff(10...80)
        for bound in [10, 20, 40, 80, 80, 80] as [UInt64] {
            backoff.fail(at: at(1_000))
            #expect((1_000...(1_000 + bound)).contains(backoff.notBefore.nanoseconds))
        }
        backoff.succeed()
        backoff.fail(at: at(2_000))
        #expect((2_000...2_010).contains(backoff.notBefore.nanoseconds))
    }

    @Test("What becomes due between a turn and the sleep after it is not slept through")
    func wake() {
        let loop = LoopCore(Inbox())
        let plan = PoolPlan(
            configuration: HTTP2PoolConfiguration(host: "127.0.0.1", port: 1, tls: nil),
            context: nil,
            shared: PoolShared()
        ) { _ in }
        let pool = PoolCore(0, plan, loop: loop)
        let deadline = loop.now.adding(nanoseconds: 20_000_000_000)
        pool.backoff.fail(at: loop.now)
        let due = pool.backoff.notBefore
        pool.admit([HTTP2Request(tag: 1, path: "/", body: [], deadline: deadline)])
        pool.pump()
        #expect(pool.connections.isEmpty, "it is not due yet")
        loop.now = due.adding(nanoseconds: 1)
        #expect(pool.wakesAt <= due)
        pool.pump()
        #expect(pool.connections.count == 1)
    }

    @Test("Pauses differ")
    func jitter() {
        let pauses = (0..<50).map { _ in
            var backoff = Backoff(1_000_000...1_000_000)
            backoff.fail(at: at(0))
            return backoff.notBefore.nanoseconds
        }
        #expect(Set(pauses).count > 40)
        #expect(pauses.contains { $0 < 500_000 } && pauses.contains { $0 > 500_000 })
    }

    @Test("Only time asleep while blocked counts")
    func blockedTime() {
        var blocked = BlockedTime()
        blocked.slept(5)
        #expect(blocked.total == 0)
        blocked.set(blocked: true)
        blocked.slept(5)
        blocked.slept(6)
        #expect(blocked.total == 11)
        blocked.set(blocked: false)
        #expect(blocked.total == 0)
    }

    @Test("Settings that would overflow the clock are cut")
    func sane() {
        var configuration = HTTP2PoolConfiguration(host: "::1", port: 443)
        configuration.requestTimeout = .max
        configuration.idleTimeout = .max
        configuration.maxConnections = -3
        configuration.backoff = 0 ... .max
        #expect(configuration.sane.requestTimeout == longest)
        #expect(configuration.sane.idleTimeout == longest)
        #expect(configuration.sane.maxConnections == 1)
        #expect(configuration.sane.backoff.lowerBound == millisecond)
        #expect(configuration.authority == "[::1]")
    }
}
