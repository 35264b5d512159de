// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

@testable import Engine

@Suite("Whom a drain waits for")
struct DrainTests {
    @Test("Silent pushes are left; what was written stays open for the next start")
    func pushes() {
        var fixture = DispatchFixture()
        fixture.accept(DispatchFixture.notification())
        #expect(fixture.attempts.count == 1)
        fixture.tell([.drain])
        #expect(!fixture.machine.isDrained)
        fixture.tell([.abandon(sms: false)])
        #expect(fixture.machine.isDrained)
        #expect(fixture.settled.isEmpty)
    }

    @Test("A text message that its gateway is asked about is waited for longer than pushes")
    func texts() {
        var fixture = DispatchFixture.pin()
        fixture.answer(PINAnswers.dead)
        #expect(fixture.texts.count == 1)
        fixture.tell([.drain])
        fixture.tell([.abandon(sms: false)])
        #expect(!fixture.machine.isDrained)
        fixture.answer(.accepted)
        #expect(fixture.machine.isDrained)
        #expect(fixture.settled.last?.sms == .taken)
    }

    @Test("Patience ends when nothing is answered for a while, and begins anew with each answer")
    func patience() {
        var patience = DrainPatience()
        let start = MonotonicTime(nanoseconds: 5_000_000_000_000)
        #expect(patience.silence(underWay: 3, at: start) == 0)
        #expect(patience.silence(underWay: 3, at: start.adding(milliseconds: 1_900)) == 1_900)
        #expect(patience.silence(underWay: 2, at: start.adding(milliseconds: 1_950)) == 0)
        #expect(patience.silence(underWay: 2, at: start.adding(milliseconds: 4_000)) == 2_050)
    }
}
