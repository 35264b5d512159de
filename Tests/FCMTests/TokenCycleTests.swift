// SPDX-License-Identifier: Apache-2.0

import Bus
import PushService
import Testing

@testable import FCM

struct TokenCycleTests {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private var cycle = TokenCycle()

    /// `v1`, `awaited` or a reason, with `?` where a token is to be asked for.
    private mutating func ask(_ seconds: Double) -> String {
        let (standing, isToAsk) = cycle.ask(at: Self.time(seconds))
        let text =
            switch standing {
            case .ready(let issued): "v\(issued.version)"
            case .awaited: "awaited"
            case .failed(let reason): reason
            }
        return text + (isToAsk ? "?" : "")
    }

    private static func time(_ seconds: Double) -> MonotonicTime {
        start.adding(nanoseconds: UInt64(seconds * 1e9))
    }

    private mutating func grant(life: Int64, at seconds: Double) {
        cycle.take(AccessToken.Grant(token: "x", life: life), at: Self.time(seconds))
    }

    private mutating func fail(at seconds: Double, after: Int64? = nil) {
        cycle.take(AccessToken.Failure("down", retryAfter: after), at: Self.time(seconds))
    }

    @Test("A token is asked for once, used, renewed five minutes before its end, and used meanwhile")
    mutating func life() {
        #expect(ask(0) == "awaited?")
        #expect(ask(1) == "awaited")
        grant(life: 3600, at: 2)
        #expect(ask(2) == "v1")
        #expect(ask(3301) == "v1")
        #expect(ask(3302) == "v1?")
        #expect(ask(3303) == "v1")
        grant(life: 3600, at: 3304)
        #expect(ask(3304) == "v2")
    }

    @Test("A short-lived token is renewed in the last tenth of its life, and never used after its end")
    mutating func short() {
        _ = ask(0)
        grant(life: 10, at: 0)
        #expect(ask(8.9) == "v1")
        #expect(ask(9) == "v1?")
        #expect(ask(9.9) == "v1")
        #expect(ask(10) == "awaited")
    }

    @Test("A failure counts for half a second, then a second, up to ten; a token that lives is used on")
    mutating func failures() {
        #expect(ask(0) == "awaited?")
        fail(at: 0)
        #expect(ask(0.4) == "down")
        #expect(ask(0.5) == "awaited?")
        fail(at: 1)
        #expect(ask(1.9) == "down")
        #expect(ask(2) == "awaited?")
        for _ in 0..<9 {
            fail(at: 2)
            _ = ask(100)
        }
        fail(at: 100)
        #expect(ask(109.9) == "down")
        #expect(ask(110) == "awaited?")
        grant(life: 1000, at: 110)
        #expect(ask(1010) == "v1?")
        fail(at: 1011)
        #expect(ask(1011.4) == "v1")
        #expect(ask(1011.5) == "v1?")
        fail(at: 1109.9)
        #expect(ask(1110) == "down")
    }

    @Test("A token endpoint that asks to be left alone is left alone")
    mutating func retryAfter() {
        _ = ask(0)
        fail(at: 0, after: 30_000)
        #expect(ask(29.9) == "down")
        #expect(ask(30) == "awaited?")
    }

    @Test("A refused token is dropped once, whoever says so; those that showed it are worth a repeat")
    mutating func refusal() {
        _ = ask(0)
        grant(life: 3600, at: 0)
        let first = cycle.refuse(1, at: Self.time(1))
        #expect(first)
        #expect(ask(1) == "awaited?")
        let second = cycle.refuse(1, at: Self.time(1))
        #expect(second)
        grant(life: 3600, at: 2)
        #expect(ask(2) == "v2")
        let third = cycle.refuse(1, at: Self.time(3))
        #expect(third)
        #expect(ask(3) == "v2")
    }

    @Test("Where new tokens are refused as well, they are kept longer each time, up to a minute: no loop of requests")
    mutating func hopeless() {
        _ = ask(0)
        grant(life: 36_000, at: 0)
        _ = cycle.refuse(1, at: Self.time(0))
        var now = 0.0
        for (version, patience) in [(2, 1.0), (3, 2), (4, 4), (5, 8), (6, 16), (7, 32), (8, 60), (9, 60)] {
            #expect(ask(now) == "awaited?")
            grant(life: 36_000, at: now)
            now += patience
            let early = cycle.refuse(version, at: Self.time(now - 0.1))
            #expect(!early)
            #expect(ask(now - 0.1) == "v\(version)")
            let late = cycle.refuse(version, at: Self.time(now))
            #expect(late)
        }
    }

    @Test("A new token that worked may be refused again at once")
    mutating func proven() {
        _ = ask(0)
        grant(life: 3600, at: 0)
        _ = cycle.refuse(1, at: Self.time(1))
        _ = ask(1)
        grant(life: 3600, at: 1)
        cycle.confirm(1)
        let unproven = cycle.refuse(2, at: Self.time(1.9))
        #expect(!unproven)
        cycle.confirm(2)
        let proven = cycle.refuse(2, at: Self.time(2))
        #expect(proven)
    }
}
