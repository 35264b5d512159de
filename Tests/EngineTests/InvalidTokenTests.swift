// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Testing

@testable import Engine

@Suite("What becomes of tokens that are called dead")
struct InvalidTokenTests {
    private static let dead = Outcome.gone(Outcome.Gone(since: .after(777), isAmbiguous: false, reason: "410"))
    private static let bad = Outcome.gone(Outcome.Gone(since: nil, isAmbiguous: true, reason: "400 BadDeviceToken"))

    private func fixture(users count: Int, prepare: (inout DispatchFixture) -> Void = { _ in }) -> DispatchFixture {
        var fixture = DispatchFixture()
        prepare(&fixture)
        fixture.accept(DispatchFixture.notification(to: (0..<count).map { RecipientID("user\($0)") }))
        return fixture
    }

    private func statuses(_ fixture: DispatchFixture, _ status: DeliveryStatus) -> Int {
        fixture.settled.count { $0.status == status }
    }

    @Test("three of an hour are removed at once, the others of a wave are quarantined, and all are answered")
    func wave() {
        var fixture = fixture(users: 200)
        for _ in 0..<3 { fixture.answer(Self.dead) }
        #expect(fixture.ended.count == 3)
        for _ in 3..<49 { fixture.answer(Self.dead) }
        #expect(fixture.ended.count == 3)
        #expect(fixture.held.count == 46)
        #expect(fixture.decisions.isEmpty)
        fixture.answer(Self.dead)
        #expect(fixture.decisions == [.doubt])
        for _ in 50..<200 { fixture.answer(Self.dead) }
        #expect(fixture.ended.count == 3)
        #expect(fixture.quarantined.count == 150)
        #expect(fixture.notes.count { $0.contains("in doubt") } == 1)
        #expect(fixture.machine.metrics.quarantined == [150])
        #expect(fixture.machine.report.channels.map(\.isInDoubt) == [true])
        // Nothing waited: every delivery has its end.
        #expect(fixture.settled.count == 200)
        #expect(statuses(fixture, .invalidSubscription) == 50)
        #expect(statuses(fixture, .sendingFailed) == 150)
    }

    @Test("a fifth of the fifty results around them is not too many, one more is", arguments: [10, 11])
    func share(verdicts: Int) {
        var fixture = fixture(users: 75)
        for _ in 0..<25 { fixture.answer(.accepted) }
        for _ in 0..<3 { fixture.answer(Self.dead) }
        for _ in 0..<(verdicts - 3) { fixture.answer(Self.dead) }
        while !fixture.attempts.isEmpty { fixture.answer(.accepted) }
        #expect(fixture.ended.count == 3)
        #expect(fixture.held.count == verdicts - 3)
        #expect(fixture.decisions == [verdicts == 10 ? .removeHeld : .doubt])
    }

    @Test("verdicts that wait are judged when the hour is over, though results are few")
    func hour() {
        var fixture = fixture(users: 34)
        for _ in 0..<20 { fixture.answer(.accepted) }
        for _ in 0..<4 { fixture.answer(Self.dead) }
        #expect(fixture.ended.count == 3)
        fixture.wait(InvalidTokenGuard.hour - 1_000)
        #expect(fixture.decisions.isEmpty)
        fixture.wait(2_000)
        #expect(fixture.decisions == [.removeHeld])
    }

    @Test("three are removed at once again when the hour is over")
    func nextHour() {
        var fixture = fixture(users: 3)
        for _ in 0..<3 { fixture.answer(Self.dead) }
        fixture.wait(InvalidTokenGuard.hour)
        fixture.accept(DispatchFixture.notification("n2", to: ["late"]), first: 1_000)
        fixture.answer(Self.dead)
        #expect(fixture.ended.count == 4)
    }

    @Test("a wave is seen however many good results went before")
    func late() {
        var fixture = fixture(users: 4_000)
        for _ in 0..<3_000 { fixture.answer(.accepted) }
        for _ in 0..<1_000 { fixture.answer(Self.dead) }
        #expect(fixture.ended.count == 3)
        #expect(fixture.held.count + fixture.quarantined.count == 997)
        #expect(fixture.held.count < 50)
        #expect(fixture.decisions == [.doubt])
    }

    @Test("dead tokens that come now and then are removed a few at a time")
    func trickle() {
        var fixture = fixture(users: 2_000)
        for number in 0..<2_000 { fixture.answer(number % 20 == 0 ? Self.dead : .accepted) }
        #expect(fixture.decisions.allSatisfy { $0 == .removeHeld })
        #expect(fixture.decisions.count > 20)
        #expect(fixture.ended.count + fixture.held.count == 100)
        #expect(fixture.quarantined.isEmpty)
        #expect(statuses(fixture, .invalidSubscription) == 100)
    }

    @Test("BadDeviceToken counts for nothing before the channel had a success, nor an hour after")
    func badTokens() {
        var fixture = fixture(users: 80)
        for _ in 0..<80 { fixture.answer(Self.bad) }
        #expect(fixture.ended.isEmpty)
        #expect(fixture.held.isEmpty)
        #expect(fixture.settled.allSatisfy { $0.status == .sendingFailed })
        fixture.accept(DispatchFixture.notification("n2", to: ["anna"]), first: 1_000)
        fixture.answer(.accepted)
        fixture.accept(DispatchFixture.notification("n3", to: (0..<80).map { RecipientID("user\($0)") }), first: 2_000)
        for _ in 0..<80 { fixture.answer(Self.bad) }
        #expect(fixture.ended.count == 3)
        #expect(fixture.decisions == [.doubt])
    }

    @Test("doubt ends after an hour and fifty results of which hardly any is a verdict")
    func trust() {
        var fixture = fixture(users: 60)
        for _ in 0..<60 { fixture.answer(Self.dead) }
        #expect(fixture.decisions == [.doubt])
        // An hour in which one of ten is dead is no reason for trust.
        fixture.wait(InvalidTokenGuard.hour)
        fixture.accept(DispatchFixture.notification("n2", to: (0..<60).map { RecipientID("user\($0)") }), first: 1_000)
        for number in 0..<60 { fixture.answer(number % 10 == 0 ? Self.dead : .accepted) }
        #expect(fixture.decisions == [.doubt])
        fixture.wait(1_000)
        fixture.accept(DispatchFixture.notification("n3", to: (0..<60).map { RecipientID("user\($0)") }), first: 2_000)
        for _ in 0..<60 { fixture.answer(.accepted) }
        #expect(fixture.decisions == [.doubt])
        fixture.wait(InvalidTokenGuard.hour)
        #expect(fixture.decisions == [.doubt, .trust])
        #expect(fixture.machine.report.channels.map(\.isInDoubt) == [false])
    }

    @Test("an operator's word ends doubt, and the next wave is doubted again without a removal more")
    func decided() {
        var fixture = fixture(users: 60)
        for _ in 0..<60 { fixture.answer(Self.dead) }
        fixture.tell([.decided(ChannelID("apns"))])
        #expect(fixture.machine.report.channels.map(\.isInDoubt) == [false])
        fixture.accept(DispatchFixture.notification("n2", to: (0..<60).map { RecipientID("user\($0)") }), first: 1_000)
        for _ in 0..<60 { fixture.answer(Self.dead) }
        #expect(fixture.ended.count == 3)
        #expect(fixture.decisions == [.doubt, .trust, .doubt])
    }

    @Test("what came between an operator's word and the guard's hearing of it does not outlive it")
    func decidedLate() {
        var fixture = fixture(users: 60)
        for _ in 0..<60 { fixture.answer(Self.dead) }
        #expect(fixture.record.doubtedSince != nil)
        fixture.tell([.decided(ChannelID("apns"))])
        #expect(fixture.decisions.last == .trust)
        #expect(fixture.record.doubtedSince == nil)
    }

    @Test("in doubt a success clears the verdict on a device that was removed before and came back")
    func clearedAfterReturn() {
        var fixture = fixture(users: 60)
        fixture.answer(Self.dead)
        let removed = fixture.ended[0].subscription
        for _ in 1..<60 { fixture.answer(Self.dead) }
        #expect(fixture.decisions == [.doubt])
        fixture.accept(DispatchFixture.notification("n2", to: ["user0"]), first: 1_000)
        fixture.answerFirst({ $0.device?.subscription == removed }, .accepted)
        #expect(fixture.cleared == [removed])
    }

    @Test("what a guard wrote goes on after a restart: removals are counted, doubt stays, no second alarm")
    func restart() {
        var before = fixture(users: 60)
        for _ in 0..<60 { before.answer(Self.dead) }
        var state = ChannelSetup(label: "apns", reach: .devices([.ios]), condition: nil)
        state.tokens = InvalidTokenGuard(before.record, suspects: before.quarantined.map(\.end.subscription))
        var after = DispatchFixture(channels: [state])
        after.accept(DispatchFixture.notification("n2", to: (0..<60).map { RecipientID("user\($0)") }))
        for _ in 0..<60 { after.answer(Self.dead) }
        #expect(after.ended.isEmpty)
        #expect(after.quarantined.count == 60)
        #expect(after.decisions.isEmpty)
        #expect(after.notes.isEmpty)
    }

    @Test("what waits goes on to wait after a restart, and is judged by what was seen before")
    func waitingRestart() {
        var before = fixture(users: 40)
        for _ in 0..<10 { before.answer(Self.dead) }
        var state = ChannelSetup(label: "apns", reach: .devices([.ios]), condition: nil)
        state.tokens = InvalidTokenGuard(before.record, suspects: before.held.map(\.end.subscription))
        var after = DispatchFixture(channels: [state])
        after.accept(DispatchFixture.notification("n2", to: (0..<40).map { RecipientID("user\($0)") }))
        for _ in 0..<39 { after.answer(.accepted) }
        #expect(after.decisions.isEmpty)
        after.answer(.accepted)
        #expect(after.decisions == [.removeHeld])
    }

    @Test("a success clears a device's verdict")
    func cleared() {
        var fixture = fixture(users: 20)
        for _ in 0..<3 { fixture.answer(Self.dead) }
        fixture.answer(Self.dead)
        let suspect = fixture.held[0].end.subscription
        fixture.accept(DispatchFixture.notification("n2", to: ["user3"]), first: 1_000)
        fixture.answerFirst({ $0.device?.subscription == suspect }, .accepted)
        #expect(fixture.cleared == [suspect])
    }

    @Test("a newer token that the app told meanwhile gets the push; without one the delivery ends")
    func newerToken() {
        var fixture = fixture(users: 1)
        fixture.devices["user0"] = [DispatchFixture.device(of: "user0", number: 100, token: "cd")]
        fixture.answer(Self.dead)
        #expect(fixture.attempts.map { $0.device?.token } == ["cd"])
        #expect(fixture.settled.isEmpty)
        fixture.answer(.accepted)
        #expect(fixture.settled.map(\.status) == [.sent])
        #expect(fixture.settled[0].outcomes.map(\.problem) == ["410; its subscription ended"])
        #expect(fixture.settled[0].device == 100)
        #expect(fixture.isEmpty)
    }

    @Test("a token that was registered after the provider saw it die is kept, and the delivery is not invalid")
    func registeredSince() {
        var fixture = fixture(users: 1) { fixture in
            fixture.devices["user0"] = [
                DispatchFixture.device(of: "user0", number: 100, tokenAt: .after(778))
            ]
        }
        fixture.answer(Self.dead)
        #expect(fixture.ended.isEmpty)
        #expect(fixture.settled.map(\.status) == [.sendingFailed])
        #expect(
            fixture.settled[0].outcomes.map(\.problem) == ["410; its subscription is kept: the app registered it since"]
        )
    }

    @Test("a user with two phones: each answer is told, with its device")
    func devices() {
        var fixture = fixture(users: 1) { fixture in
            fixture.devices["user0"] = [
                DispatchFixture.device(of: "user0", number: 100), DispatchFixture.device(of: "user0", number: 101),
                DispatchFixture.device(of: "user0", number: 102),
            ]
        }
        fixture.answer(.rejected(reason: "400 PayloadEmpty"))
        fixture.answer(.accepted)
        fixture.answer(.accepted)
        #expect(fixture.settled.last?.status == .sent)
        #expect(fixture.settled.compactMap(\.device) == [101])
        let told = fixture.settled.flatMap(\.outcomes)
        #expect(
            told == [
                DeviceOutcome(subscription: 100, channel: "apns", problem: "400 PayloadEmpty"),
                DeviceOutcome(subscription: 102, channel: "apns", problem: nil),
            ]
        )
    }
}
