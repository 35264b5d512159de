// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Testing

@testable import Engine

@Suite("A text message in the place of pushes")
struct TextMessageTests {
    @Test("Nothing goes out before the ledger has the intent, nor where it will not have it")
    func intentFirst() {
        var fixture = DispatchFixture.pin { $0.grantsIntents = nil }
        fixture.answer(PINAnswers.dead)
        #expect(fixture.intents.map(\.sms) == [.called])
        #expect(fixture.attempts.isEmpty)
        #expect(fixture.ended.isEmpty, "the number is this subscription's")
        fixture.answerIntents(.success([true]))
        #expect(fixture.texts.count == 1)
        #expect(fixture.ended.map(\.subscription) == [100])

        var refused = DispatchFixture.pin { $0.grantsIntents = false }
        refused.answer(PINAnswers.dead)
        #expect(refused.attempts.isEmpty)
        #expect(refused.isEmpty)
        #expect(refused.machine.metrics.depth(.urgent) == 0)
    }

    @Test("An intent that the ledger could not write is tried again")
    func intentFails() {
        var fixture = DispatchFixture.pin { $0.grantsIntents = nil }
        fixture.answer(PINAnswers.dead)
        fixture.answerIntents(.failure(.failed("disk full")))
        #expect(fixture.attempts.isEmpty)
        fixture.grantsIntents = true
        fixture.wait(1_001)
        #expect(fixture.texts.count == 1)
        #expect(fixture.reasons == ["apns: 410 Unregistered", "apns: 410 Unregistered"])
    }

    @Test("More than may wait in memory leave it until the fallback, none of them parked")
    func manyBlocked() {
        var settings = DispatchFixture.trusting
        settings.urgentWindow = 16
        var fixture = DispatchFixture.pin(settings: settings) {
            $0.machine.parts.gates[0].pause(true, at: $0.now.monotonic)
        }
        for number in 2...8 {
            let notification = DispatchFixture.notification(NotificationID("n\(number)"), type: .pinCode)
            fixture.accept(notification, first: Int64(number), fallback: fixture.now.due + DispatchFixture.pushesHave)
        }
        #expect(fixture.settled.count == 4)
        #expect(
            fixture.settled.allSatisfy {
                $0.nextAttempt == .after(1_000_000) + DispatchFixture.pushesHave && $0.parking == nil
            }
        )
    }

    @Test("A gateway that is busy or out of use is asked until the timeout, and no longer")
    func gatewayDown() {
        var fixture = DispatchFixture.pin(timeout: 60)
        fixture.answer(PINAnswers.dead)
        for outcome in [
            Outcome.retry(after: nil, scope: .provider, reason: "503"), .unavailable(reason: "403"),
        ] {
            fixture.answer(outcome)
            #expect(fixture.settled.last?.sms == .due)
            #expect(fixture.settled.last?.phone == "+375290000001", "its subscription is gone")
            fixture.wait(2_001)
            #expect(fixture.texts.count == 1)
        }
        #expect(fixture.reasons == ["apns: 410 Unregistered"], "told once")
        fixture.answer(.unavailable(reason: "403"))
        fixture.wait(58_000)
        #expect(fixture.settled.last?.status == .expired)
        #expect(fixture.isEmpty)
    }

    @Test("A gateway's rate holds for text messages")
    func rate() {
        var fixture = DispatchFixture.pin(rate: 10)
        fixture.answer(PINAnswers.dead)
        for number in 2...6 {
            let notification = DispatchFixture.notification(NotificationID("n\(number)"), type: .pinCode)
            fixture.accept(notification, first: Int64(number), fallback: fixture.now.due + DispatchFixture.pushesHave)
            while fixture.attempts.contains(where: { $0.device != nil }) {
                fixture.answerFirst({ $0.device != nil }, PINAnswers.dead)
            }
        }
        #expect(fixture.texts.count == 1)
        for expected in 2...6 {
            fixture.wait(101)
            #expect(fixture.texts.count == expected)
        }
    }

    @Test("What a gateway was asked and did not answer is not asked again")
    func silent() {
        var fixture = DispatchFixture.pin()
        fixture.answer(PINAnswers.dead)
        fixture.answer(.unknown(reason: "timeout"))
        #expect(fixture.settled.map(\.status) == [.sent])
        #expect(fixture.settled.map(\.sms) == [.called])
        #expect(fixture.settled.map(\.notes) == [[.unknown(channel: "sms", reason: "timeout")]])
        #expect(fixture.isEmpty)
        fixture.wait(60_000)
        #expect(fixture.attempts.isEmpty)
    }

    @Test(
        "What was asked before the bus stopped is not asked again, even where its time has passed",
        arguments: [true, false]
    )
    func lost(isExpired: Bool) {
        var fixture = DispatchFixture.pin(devices: 0, phone: nil)
        let notification = OutgoingNotification(
            notification: DispatchFixture.notification("n2", timeout: 60, type: .pinCode),
            sequence: 2,
            acceptedAt: fixture.now.wall - (isExpired ? 60_000 : 0)
        )
        let row = QueuedDelivery(
            sequence: 2,
            notification: notification,
            recipient: "anna",
            status: .queued,
            attempts: 2,
            due: fixture.now.due,
            finishedDevices: [],
            fallback: fixture.now.due,
            sms: .called,
            phone: "+375290000001"
        )
        let settled = fixture.settled.count
        let page = DuePage(deliveries: [row], nextDue: nil)
        fixture.machine.parts.lanes[0].cursor.begin()
        fixture.tell(isExpired ? [.overdue(.success([row]))] : [.page(.urgent, .success(page))])
        #expect(fixture.attempts.isEmpty)
        #expect(fixture.settled.dropFirst(settled).map(\.status) == [.sent])
        #expect(fixture.settled.last?.notes.count == 1)
        #expect(fixture.isEmpty)
    }

    @Test("A perishable and a timeout of 0 have one push and one text message")
    func once() {
        for (timeout, isPerishable) in [(0, false), (600, true)] {
            var fixture = DispatchFixture.pin(timeout: timeout, isPerishable: isPerishable)
            #expect(fixture.attempts.map(\.expiration) == [nil])
            fixture.answer(PINAnswers.busy)
            #expect(fixture.texts.count == 1)
            fixture.answer(PINAnswers.busy)
            #expect(fixture.settled.last?.status == (isPerishable ? .sendingFailed : .expired))
            #expect(fixture.isEmpty)
        }
        var waiting = DispatchFixture.pin(timeout: 0)
        waiting.answer(.accepted)
        waiting.wait(5_000)
        waiting.answerLoads()
        #expect(waiting.texts.count == 1, "half of the ten seconds that now lasts")
    }

    @Test("Without a number there is no fallback: pushes go on, and are kept as long as others")
    func noNumber() {
        var fixture = DispatchFixture.pin(phone: nil)
        #expect(fixture.attempts.map(\.expiration) == [.after(1_600_000)])
        fixture.answer(.unknown(reason: "no answer"))
        fixture.wait(1_001)
        #expect(fixture.attempts.count == 1, "it is repeated under the same id")
        fixture.answer(.accepted)
        #expect(fixture.settled.last?.status == .sent)
        #expect(fixture.settled.last?.nextAttempt == nil)
    }

    @Test("Only PIN codes go to phones, and only those that the gateway's condition lets through")
    func conditions() {
        let other = DispatchFixture.pin(type: .universal)
        #expect(other.attempts.map(\.mayRepeat) == [true])
        let closed = DispatchFixture.pin(condition: .type([.message]))
        #expect(closed.attempts.map(\.mayRepeat) == [true])
        let open = DispatchFixture.pin(condition: .type([.pinCode]))
        #expect(open.attempts.map(\.mayRepeat) == [false])
        #expect(open.attempts.map(\.expiration) == [.after(1_060_000)])
    }

    @Test("The bank's own number goes first where there is one recipient, in however many spellings")
    func tagged() {
        var notification = DispatchFixture.notification(to: ["anna"], type: .pinCode)
        notification.details = PushDetails(name: "x", tags: [PushDetails.Tag(key: "phone", value: "+375299999999")])
        let devices = [DispatchFixture.device(of: "anna", number: 1, phone: "+375290000001")]
        #expect(notification.phone(among: devices) == "+375299999999")
        let outgoing = OutgoingNotification(notification: notification, sequence: 1, acceptedAt: .epoch)
        #expect(outgoing.shown.notification.details == PushDetails(name: "x"))
        var spelling = Recipient("ANNA")
        spelling.id = "anna"
        notification.recipients.append(spelling)
        #expect(notification.phone(among: devices) == "+375299999999")
        notification.recipients.append(Recipient("boris"))
        #expect(notification.phone(among: devices) == "+375290000001")
        let older = DispatchFixture.device(of: "anna", number: 2)
        #expect(notification.phone(among: [older] + devices) == "+375290000001")
    }

    @Test("A bus that stops begins no text message, and whoever starts next finds that it is due")
    func draining() {
        var fixture = DispatchFixture.pin()
        fixture.tell([.drain])
        fixture.answer(PINAnswers.dead)
        #expect(fixture.attempts.isEmpty)
        #expect(fixture.intents.isEmpty)
        #expect(fixture.settled.map(\.sms) == [.due])
        #expect(fixture.settled.map(\.phone) == ["+375290000001"])
        #expect(fixture.machine.isDrained)
    }
}
