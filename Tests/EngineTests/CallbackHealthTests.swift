// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Testing

@testable import Engine

@Suite("A link to a bank that fails, is stopped, or drains")
struct CallbackHealthTests {
    private static let down = Outcome.retry(after: nil, scope: .provider, reason: "503")

    private static func state(_ fixture: inout CallbackFixture) -> LinkReport? {
        fixture.tell([.inspect { _ in }])
        return fixture.reports.first
    }

    @Test(
        "The bank's own wish for quiet is granted, but for an hour at most",
        arguments: [7_200_000, Int64.max, -5, 0]
    )
    func absurdWish(after: Int64) {
        for scope in [Outcome.Scope.delivery, .provider] {
            var fixture = CallbackFixture()
            fixture.happen(1)
            fixture.answer(.retry(after: after, scope: scope, reason: "busy"))
            let wait = (fixture.lines[1]?.due ?? .distantPast).milliseconds(since: fixture.now.due)
            #expect((1...3_601_000).contains(wait))
            #expect(wait >= min(max(after, 0), 3_600_000))
            fixture.wait(3_700_000)
            #expect(fixture.calls.count == 1)
        }
    }

    @Test("A bank that asks for quiet is left alone at once, as a whole")
    func quiet() {
        var fixture = CallbackFixture()
        for line in 0..<40 { fixture.happen(Int64(line), isAwake: false) }
        fixture.tell([.wake])
        fixture.answer(.retry(after: 60_000, scope: .provider, reason: "503"))
        #expect(fixture.notes == ["link suspended: the bank asked for it"])
        #expect(Self.state(&fixture)?.isSuspended == true)
        fixture.answerAll(.accepted)
        fixture.wait(59_000)
        #expect(fixture.calls.isEmpty)
        fixture.wait(1_500)
        #expect(fixture.calls.count == 1)
        fixture.answerAll(.accepted)
        #expect(fixture.notes.last == "the bank can be told again")
        #expect(Self.state(&fixture)?.isSuspended == false)
    }

    @Test("The first failure, the suspension and the recovery are lines; a hundred failures are few")
    func lines() {
        var fixture = CallbackFixture()
        for line in 0..<19 { fixture.happen(Int64(line), isAwake: false) }
        fixture.tell([.wake])
        for _ in 0..<9 { fixture.answer(Self.down) }
        #expect(fixture.notes == ["the bank fails: it is told again later"])
        #expect(Self.state(&fixture)?.isSuspended == false)
        fixture.answer(.accepted)
        #expect(fixture.notes.last == "the bank can be told again")
        #expect(fixture.notes.count == 2)
        fixture.answer(.unknown(reason: "no answer"))
        #expect(fixture.notes.last == "the bank is silent: it is told again later")
        while fixture.notes.last != "link suspended: the bank is silent" {
            if fixture.calls.isEmpty { fixture.sleep() }
            fixture.answerAll(.unknown(reason: "no answer"))
        }
        #expect(fixture.notes.count <= 6)
        #expect(Self.state(&fixture)?.reason == "no answer")
    }

    @Test("A bank that goes on failing is a line a minute, not one for ever")
    func failuresGoOn() {
        var fixture = CallbackFixture()
        for line in 0..<8 { fixture.happen(Int64(line), isAwake: false) }
        fixture.tell([.wake])
        for _ in 0..<3 { fixture.answer(Self.down) }
        #expect(fixture.notes.count == 1)
        for minute in 2...3 {
            fixture.now = .after(1_000_000 + Int64(minute - 1) * 61_000)
            fixture.answer(Self.down)
            fixture.answer(Self.down)
            #expect(fixture.notes == Array(repeating: "the bank fails: it is told again later", count: minute))
        }
    }

    @Test("What is held back of dead letters is told though nothing else happens")
    func heldDeaths() {
        var fixture = CallbackFixture()
        for line in 0..<3 { fixture.happen(Int64(line), isAwake: false) }
        fixture.tell([.wake])
        fixture.answerAll(.rejected(reason: "no such user"))
        #expect(fixture.dead.count == 3)
        #expect(fixture.notes.count == 1)
        fixture.sleep()
        #expect(fixture.notes.last == "callbacks are dead letters: 2 more")
        #expect(fixture.machine.nextWakeUp(after: fixture.now) == nil)
    }

    @Test("A thousand dead letters are a line at once and one a minute, with their count")
    func deaths() {
        var fixture = CallbackFixture()
        for line in 0..<1_000 { fixture.happen(Int64(line), isAwake: false) }
        fixture.tell([.wake])
        while fixture.dead.count < 1_000 {
            fixture.answerAll(.rejected(reason: "no such user"))
            if fixture.calls.isEmpty, fixture.dead.count < 1_000 { fixture.sleep() }
        }
        #expect(fixture.notes.count == 1)
        fixture.wait(60_000)
        #expect(fixture.notes.last == "callbacks are dead letters: 999 more")
        #expect(fixture.notes.count == 2)
    }

    @Test("A stopped link begins nothing, gives nothing up, and goes on when it is let")
    func paused() {
        var fixture = CallbackFixture()
        fixture.tell([.pause(link: "soap", true)])
        fixture.happen(1)
        fixture.wait(8 * 86_400_000)
        #expect(fixture.calls.isEmpty && fixture.dead.isEmpty)
        #expect(Self.state(&fixture)?.isPaused == true)
        fixture.tell([.pause(link: "soap", false)])
        #expect(fixture.calls.count == 1)
        fixture.answer(.accepted)
        #expect(fixture.told == [1])
    }

    @Test("A drain waits for answers until it is told to leave them, and then for what is being written")
    func leaving() {
        var fixture = CallbackFixture()
        fixture.happen(1)
        fixture.happen(2)
        fixture.writesAtOnce = false
        fixture.answer(.accepted)
        fixture.tell([.drain])
        #expect(!fixture.machine.isDrained)
        fixture.tell([.abandon])
        #expect(!fixture.machine.isDrained)
        fixture.writesAtOnce = true
        fixture.writeNow()
        #expect(fixture.machine.isDrained)
    }
}
