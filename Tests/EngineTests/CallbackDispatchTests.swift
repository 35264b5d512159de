// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Testing

@testable import Engine

@Suite("Telling banks")
struct CallbackDispatchTests {
    private static let down = Outcome.retry(after: nil, scope: .provider, reason: "503")

    @Test("What happened is told once, and then there is nothing to wake up for")
    func once() {
        var fixture = CallbackFixture()
        fixture.happen(1)
        #expect(fixture.calls.map(\.notification) == ["n1"])
        fixture.answer(.accepted)
        #expect(fixture.told == [1])
        #expect(fixture.lines.isEmpty)
        fixture.tell([.wake])
        #expect(fixture.calls.isEmpty)
        #expect(fixture.machine.nextWakeUp(after: fixture.now) == nil)
        #expect(fixture.machine.count == 0)
    }

    @Test("What the ledger holds at the start is asked for at once")
    func start() {
        let metrics = CallbackMetrics(links: ["soap"])
        let machine = CallbackDispatch(settings: CallbackSettings(), links: ["soap"], metrics: metrics)
        #expect(machine.nextWakeUp(after: .after(5)) == .after(5))
        guard case .load(link: 0, _)? = machine.handle([], at: .after(5)).first else {
            Issue.record("nothing is loaded")
            return
        }
        #expect(machine.nextWakeUp(after: .after(5)) == nil)
    }

    @Test("What another node is to write is left to it")
    func lost() {
        var fixture = CallbackFixture()
        fixture.isOwner = false
        fixture.happen(1)
        fixture.answer(.accepted)
        #expect(fixture.machine.count == 0)
        #expect(fixture.machine.metrics.totals().allSatisfy { $0.count == 0 })
    }

    @Test("A notification's calls are made one at a time, each after the one before is written")
    func order() {
        var fixture = CallbackFixture()
        fixture.happen(1, callbacks: 3)
        fixture.happen(2)
        #expect(fixture.calls.map(\.notification) == ["n1", "n2"])
        fixture.writesAtOnce = false
        fixture.answer(.accepted)
        #expect(fixture.calls.map(\.notification) == ["n2"])
        fixture.writesAtOnce = true
        fixture.writeNow()
        #expect(fixture.calls.map(\.notification) == ["n2", "n1"])
        fixture.answer(.accepted, .accepted)
        fixture.answer(.accepted)
        #expect(fixture.told == [1, 2, 1, 1])
        #expect(fixture.lines.isEmpty)
    }

    @Test("A call that is to come later waits in the ledger, longer each time, with its notification's others")
    func later() {
        var fixture = CallbackFixture()
        fixture.happen(1, callbacks: 2)
        for attempt in 1...8 {
            fixture.answer(.retry(after: nil, scope: .delivery, reason: "busy"))
            #expect(fixture.lines[1]?.attempts == attempt)
            #expect(fixture.machine.count == 0)
            let wait = (fixture.lines[1]?.due ?? .distantPast).milliseconds(since: fixture.now.due)
            #expect((1...fixture.machine.settings.retry.ceiling(after: attempt)).contains(wait))
            #expect(fixture.calls.isEmpty)
            while fixture.calls.isEmpty { fixture.sleep() }
        }
        fixture.answer(.accepted)
        fixture.answer(.accepted)
        #expect(fixture.told == [1, 1])
    }

    @Test("The bank's own wish for quiet is granted")
    func retryAfter() {
        var fixture = CallbackFixture()
        fixture.happen(1)
        fixture.answer(.retry(after: 60_000, scope: .delivery, reason: "busy"))
        #expect((fixture.lines[1]?.due ?? .distantPast) >= fixture.now.due + 60_000)
    }

    @Test(
        "What a bank refuses is a dead letter at once, and the next call is made",
        arguments: [
            Outcome.rejected(reason: "no such user"),
            .gone(Outcome.Gone(since: nil, isAmbiguous: false, reason: "no such user")),
        ]
    )
    func refused(outcome: Outcome) {
        var fixture = CallbackFixture()
        fixture.happen(1, callbacks: 2)
        fixture.answer(outcome)
        #expect(fixture.dead.map(\.reason) == ["no such user"])
        #expect(fixture.calls.count == 1)
        fixture.answer(.accepted)
        #expect(fixture.lines.isEmpty)
    }

    @Test("A bank that fails is left alone but for a probe, and all is told when it is back")
    func suspended() {
        var fixture = CallbackFixture()
        for line in 0..<500 { fixture.happen(Int64(line), isAwake: false) }
        fixture.tell([.wake])
        #expect(fixture.calls.count == fixture.machine.settings.calls)
        fixture.answerAll(Self.down)
        #expect(fixture.notes.contains("link suspended: the bank fails"))
        var probes = 0
        let backAt = fixture.now.due + 60_000
        while fixture.now.due < backAt {
            fixture.sleep()
            #expect(fixture.calls.count <= 1)
            probes += fixture.calls.count
            fixture.answerAll(Self.down)
        }
        #expect((3...10).contains(probes))
        while !fixture.lines.isEmpty, fixture.now.due < backAt + 600_000 {
            fixture.answerAll(.accepted)
            if fixture.calls.isEmpty { fixture.sleep() }
        }
        #expect(fixture.told.sorted() == Array(0..<500))
        #expect(fixture.now.due < backAt + 60_000)
        #expect(fixture.dead.isEmpty)
    }

    @Test("A million waiting calls do not fill the memory")
    func bounded() {
        var fixture = CallbackFixture()
        for line in 0..<5_000 { fixture.happen(Int64(line), isAwake: false) }
        fixture.tell([.wake])
        while !fixture.lines.isEmpty { fixture.answerAll(.accepted) }
        #expect(fixture.told.count == 5_000)
        #expect(Set(fixture.told).count == 5_000)
        #expect(fixture.mostInMemory <= fixture.machine.settings.window)
        #expect(fixture.loads < 500)
    }

    @Test("What cannot be told for too long is a dead letter, with what was wrong")
    func givenUp() {
        var settings = CallbackSettings()
        settings.giveUpAfter = 30_000
        var fixture = CallbackFixture(settings: settings)
        fixture.happen(1)
        let start = fixture.now.due
        while fixture.dead.isEmpty, fixture.now.due < start + 600_000 {
            if fixture.calls.isEmpty { fixture.sleep() } else { fixture.answerAll(.unknown(reason: "no answer")) }
        }
        #expect(fixture.dead.map(\.reason) == ["no answer"])
        #expect((30_000...32_000).contains(fixture.now.due.milliseconds(since: start)))
    }

    @Test("What waits behind a dead bank is given up as well, without being tried")
    func givenUpWaiting() {
        var settings = CallbackSettings()
        settings.giveUpAfter = 120_000
        var fixture = CallbackFixture(settings: settings)
        for line in 0..<50 { fixture.happen(Int64(line)) }
        let start = fixture.now.due
        while !fixture.lines.isEmpty, fixture.now.due < start + 1_000_000 {
            if fixture.calls.isEmpty { fixture.sleep() } else { fixture.answerAll(.unavailable(reason: "401")) }
        }
        #expect(fixture.dead.count == 50)
        #expect(fixture.dead.allSatisfy { $0.reason == "401" })
        #expect(fixture.now.due < start + 150_000)
    }

    @Test("A fault of ours keeps the call and its turn")
    func unavailable() {
        var fixture = CallbackFixture()
        fixture.happen(1)
        fixture.answer(.unavailable(reason: "certificate refused"))
        #expect(fixture.calls.isEmpty)
        #expect(fixture.lines[1]?.attempts == 0)
        fixture.sleep()
        #expect(fixture.calls.count == 1)
        fixture.answer(.accepted)
        #expect(fixture.told == [1])
    }

    @Test("A page that was read before a call was settled does not bring it back")
    func stalePage() {
        var fixture = CallbackFixture()
        fixture.happen(1)
        fixture.holdsPages = true
        fixture.tell([.wake])
        #expect(fixture.heldPages.first?.calls.count == 1)
        fixture.answer(.accepted)
        #expect(fixture.told == [1])
        fixture.handOver()
        #expect(fixture.calls.isEmpty)
        #expect(fixture.machine.count == 0)
    }

    @Test("A settlement that could not be written is written later, and the call is not made again meanwhile")
    func diskFull() {
        var fixture = CallbackFixture()
        fixture.happen(1)
        fixture.writesAtOnce = false
        fixture.answer(.accepted)
        fixture.failWrites()
        fixture.tell([.wake])
        #expect(fixture.calls.isEmpty)
        fixture.writesAtOnce = true
        fixture.sleep()
        #expect(fixture.told == [1])
        #expect(fixture.calls.isEmpty)
    }

    @Test("A drain begins nothing, and ends when all that is under way is written")
    func drain() {
        var fixture = CallbackFixture()
        fixture.happen(1, callbacks: 2)
        fixture.tell([.drain])
        #expect(!fixture.machine.isDrained)
        fixture.writesAtOnce = false
        fixture.answer(.accepted)
        #expect(!fixture.machine.isDrained)
        fixture.writeNow()
        #expect(fixture.machine.isDrained)
        #expect(fixture.calls.isEmpty)
    }

    @Test("A link that never answers is answered for")
    func silence() {
        var fixture = CallbackFixture()
        fixture.happen(1)
        fixture.wait(fixture.machine.settings.longestCall + 1)
        #expect(fixture.lines[1]?.attempts == 1)
        #expect(fixture.machine.calls.isEmpty)
    }
}
