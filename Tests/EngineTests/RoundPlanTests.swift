// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Testing

@testable import Engine

@Suite("What follows from a round")
struct RoundPlanTests {
    private typealias Facts = RoundPlan.Facts
    private static let now = MonotonicTime.after(1_000_000)

    /// Every combination of what may be known of a round.
    private static var all: [RoundPlan.Facts] {
        (0..<1 << 10).map { bits in
            func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
            return RoundPlan.Facts(
                status: bit(0) ? .sent : .queued,
                isOver: bit(1),
                hasDied: bit(2),
                isRejected: bit(3),
                isAmbiguous: bit(4),
                wantsRetry: bit(5),
                isBlocked: bit(6),
                mayRetry: bit(7),
                isPerishable: !bit(7) && bit(8),
                isExpired: bit(8),
                mayRecheck: bit(9)
            )
        }
    }

    @Test(
        "Without a fallback",
        arguments: [
            (Facts(status: .sent), .finish(.sent)),
            (Facts(), .finish(.invalidSubscription)),
            (Facts(isRejected: true), .finish(.sendingFailed)),
            (Facts(status: .sent, isRejected: true), .finish(.sent)),
            (Facts(hasDied: true), .finish(.invalidSubscription)),
            (Facts(hasDied: true, mayRecheck: true), .recheck),
            (Facts(status: .sent, hasDied: true, mayRecheck: true), .finish(.sent)),
            (Facts(hasDied: true, wantsRetry: true, mayRecheck: true), .retry),
            (Facts(wantsRetry: true), .retry),
            (Facts(status: .sent, wantsRetry: true), .retry),
            (Facts(wantsRetry: true, isBlocked: true), .wait),
            (Facts(isBlocked: true), .wait),
            (Facts(wantsRetry: true, isExpired: true), .finish(.expired)),
            (Facts(status: .sent, wantsRetry: true, isExpired: true), .finish(.sent)),
            (Facts(wantsRetry: true, mayRetry: false), .finish(.expired)),
            (Facts(wantsRetry: true, mayRetry: false, isPerishable: true), .finish(.sendingFailed)),
            (Facts(isOver: true, wantsRetry: true, isBlocked: true), .letGo),
        ] as [(RoundPlan.Facts, RoundPlan.Disposition)]
    )
    func plain(facts: RoundPlan.Facts, expected: RoundPlan.Disposition) {
        var none: Fallback?
        #expect(RoundPlan.disposition(facts, &none, at: Self.now) == expected)
    }

    @Test("Whatever is known, the end fits it, and without a number nothing waits for one")
    func everything() {
        for facts in Self.all {
            var none: Fallback?
            let disposition = RoundPlan.disposition(facts, &none, at: Self.now)
            #expect(facts.isOver == (disposition == .letGo), "\(facts)")
            switch disposition {
            case .escalate, .awaitReceipt: Issue.record("there is no fallback: \(facts)")
            case .finish(let status):
                #expect(status != .queued, "\(facts)")
                #expect(facts.status == .queued || status == .sent, "what was sent stays so: \(facts)")
                #expect(!facts.isBlocked, "\(facts)")
            case .retry: #expect(facts.wantsRetry && facts.mayRetry && !facts.isExpired, "\(facts)")
            case .wait: #expect(facts.isBlocked, "\(facts)")
            case .recheck: #expect(facts.hasDied && facts.mayRecheck && facts.status == .queued, "\(facts)")
            case .letGo: break
            }
        }
    }

    @Test("A code with a number never ends by its pushes alone, in time or late", arguments: [false, true])
    func code(isLate: Bool) {
        for facts in Self.all where !facts.isOver {
            let limit = isLate ? Self.now : Self.now + 30_000
            var fallback: Fallback? = Fallback(time: limit, sms: nil, phone: "+375290000001")
            let disposition = RoundPlan.disposition(facts, &fallback, at: Self.now)
            if case .finish = disposition {
                // Only where another push was wanted and its time is over: the sweep or the limit sends the message.
                #expect(facts.wantsRetry && facts.mayRetry && facts.isExpired && !isLate, "\(facts)")
            }
            if isLate, disposition != .recheck { #expect(disposition == .escalate, "\(facts)") }
            if disposition == .awaitReceipt { #expect(facts.status == .sent, "\(facts)") }
            if disposition == .escalate { #expect(fallback?.isDue == true, "\(facts)") }
        }
    }

    @Test("What expires keeps what it has reached, and what cannot be read is a failure")
    func expired() {
        #expect(RoundPlan.expired(.queued, isDamaged: false) == .expired)
        #expect(RoundPlan.expired(.queued, isDamaged: true) == .sendingFailed)
        #expect(RoundPlan.expired(.sent, isDamaged: false) == .sent)
        #expect(RoundPlan.expired(.sent, isDamaged: true) == .sent)
    }
}
