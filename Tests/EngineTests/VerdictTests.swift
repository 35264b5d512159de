// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Testing

@testable import Engine

@Suite("What becomes of addresses that are called dead")
struct VerdictTests {
    private let dead = Outcome.gone(Outcome.Gone(since: .after(777), isAmbiguous: false, reason: "410 Unregistered"))
    private let bad = Outcome.gone(Outcome.Gone(since: nil, isAmbiguous: true, reason: "400 BadDeviceToken"))

    private func fixture(users count: Int) -> DispatchFixture {
        var fixture = DispatchFixture()
        fixture.accept(DispatchFixture.notification(to: (0..<count).map { RecipientID("user\($0)") }))
        return fixture
    }

    @Test("the first ten of a minute act at once, the others of a wave are quarantined after fifty results")
    func wave() {
        var fixture = fixture(users: 80)
        for _ in 0..<10 { fixture.answer(dead) }
        #expect(fixture.ended.count == 10)
        for _ in 10..<49 { fixture.answer(dead) }
        #expect(fixture.ended.count == 10)
        #expect(fixture.quarantined.isEmpty)
        fixture.answer(dead)
        #expect(fixture.quarantined.count == 40)
        for _ in 50..<80 { fixture.answer(dead) }
        #expect(fixture.ended.count == 10)
        #expect(fixture.quarantined.count == 70)
        #expect(fixture.notes.contains { $0.contains("quarantine") })
        #expect(fixture.machine.metrics.quarantined == [70])
        // Nothing waited: every delivery has its end.
        #expect(fixture.settled.count == 80)
        #expect(fixture.settled.map(\.status).filter { $0 == .invalidSubscription }.count == 10)
        #expect(fixture.settled.map(\.status).filter { $0 == .sendingFailed }.count == 70)
    }

    @Test("a fifth of the results is not too many, one more is", arguments: [10, 11])
    func share(verdicts: Int) {
        var fixture = fixture(users: 50)
        for _ in 0..<(50 - verdicts) { fixture.answer(.accepted) }
        for _ in 0..<verdicts { fixture.answer(dead) }
        #expect(fixture.ended.count == 10)
        #expect(fixture.quarantined.count == verdicts - 10)
    }

    @Test("verdicts that wait are judged when the minute is over, though results are few")
    func minute() {
        var fixture = fixture(users: 24)
        for _ in 0..<12 { fixture.answer(dead) }
        #expect(fixture.ended.count == 10)
        fixture.wait(59_000)
        #expect(fixture.quarantined.isEmpty)
        #expect(fixture.machine.nextWakeUp(after: fixture.now.monotonic) <= fixture.now.monotonic + 1_000)
        fixture.wait(1_000)
        #expect(fixture.quarantined.count == 2)
    }

    @Test("in a new minute the first ten count anew")
    func nextMinute() {
        var fixture = fixture(users: 24)
        for _ in 0..<12 { fixture.answer(dead) }
        fixture.wait(60_000)
        fixture.accept(DispatchFixture.notification("n2", to: ["late"]), first: 1_000)
        for _ in 0..<fixture.attempts.count { fixture.answer(dead) }
        #expect(fixture.ended.count >= 11)
    }

    @Test("a wave is seen however many good results went before")
    func late() {
        var fixture = fixture(users: 4_000)
        for _ in 0..<3_000 { fixture.answer(.accepted) }
        for _ in 0..<1_000 { fixture.answer(dead) }
        #expect(fixture.ended.count < 130)
        #expect(fixture.quarantined.count > 870)
    }

    @Test("BadDeviceToken for all of 80: nothing is removed before there was a success, nor all after one")
    func badTokens() {
        var fixture = fixture(users: 80)
        for _ in 0..<80 { fixture.answer(bad) }
        #expect(fixture.ended.isEmpty)
        #expect(fixture.quarantined.isEmpty)
        #expect(fixture.settled.allSatisfy { $0.status == .sendingFailed })
        fixture.accept(DispatchFixture.notification("n2", to: ["anna"]), first: 1_000)
        fixture.answer(.accepted)
        fixture.accept(DispatchFixture.notification("n3", to: (0..<80).map { RecipientID("user\($0)") }), first: 2_000)
        for _ in 0..<80 { fixture.answer(bad) }
        #expect(fixture.ended.count == 10)
        #expect(fixture.quarantined.count == 70)
    }
}
