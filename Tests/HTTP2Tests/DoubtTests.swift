// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

@testable import HTTP2

/// The rules by which a connection is doubted, event by event.
struct DoubtTests {
    private func at(_ milliseconds: Int64) -> MonotonicTime {
        MonotonicTime.distantPast.adding(milliseconds: milliseconds)
    }

    @Test("One error is enough on a connection that never served, three on one that did; one good answer clears it")
    func failing() {
        var health = ConnectionHealth()
        health.answered(500, isAwaiting: false, at: at(1))
        #expect(health.isFailing && health.failingSince == at(1))
        health.answered(403, isAwaiting: false, at: at(2))
        #expect(!health.isFailing && health.failingSince == nil)
        for time in 3...4 as ClosedRange<Int64> { health.answered(503, isAwaiting: false, at: at(time)) }
        #expect(!health.isFailing)
        health.answered(500, isAwaiting: false, at: at(5))
        #expect(health.isFailing && health.failingSince == at(3))
        health.answered(200, isAwaiting: false, at: at(6))
        #expect(!health.isFailing)
    }

    @Test("Silence begins with the first request that is owed an answer, and anew with each answer")
    func silent() {
        var health = ConnectionHealth()
        #expect(!health.isSilent(for: 0, at: at(100)))
        health.sent(at: at(100))
        health.sent(at: at(500))
        #expect(health.isSilent(for: 400_000_000, at: at(500)))
        #expect(!health.isSilent(for: 400_000_001, at: at(500)))
        health.answered(500, isAwaiting: true, at: at(600))
        #expect(health.silentSince == at(600))
        health.answered(200, isAwaiting: false, at: at(700))
        #expect(health.silentSince == nil)
    }

    @Test("Patience follows how long answers take, within its bounds")
    func patience() {
        var patience = Patience(800...5_000)
        #expect(patience.limit == 800)
        for _ in 0..<50 { patience.note(20) }
        #expect(patience.limit == 800)
        for _ in 0..<50 { patience.note(2_000) }
        #expect((2_000...2_500).contains(patience.limit))
        for _ in 0..<50 { patience.note(.max) }
        #expect(patience.limit == 5_000)
        for _ in 0..<200 { patience.note(20) }
        #expect(patience.limit == 800)
    }
}
