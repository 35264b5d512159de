// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Testing

@testable import Engine

@Suite("From a PIN code's pushes to its text message")
struct FallbackDispatchTests {
    @Test(
        "What no device took goes out as a text message at once, and tells why",
        arguments: [
            (PINAnswers.dead, "apns: 410 Unregistered"),
            (.rejected(reason: "400 PayloadEmpty"), "apns: 400 PayloadEmpty"),
            (.unknown(reason: "no answer"), "apns: no answer"),
        ] as [(Outcome, String)]
    )
    func atOnce(outcome: Outcome, reason: String) {
        var fixture = DispatchFixture.pin()
        fixture.answer(outcome)
        #expect(fixture.texts.count == 1)
        #expect(fixture.reasons == [reason])
        #expect(fixture.settled.isEmpty, "the intent holds all there is to write")
        fixture.answer(.accepted)
        #expect(fixture.settled.map(\.status) == [.sent])
        #expect(fixture.settled.map(\.channel) == ["sms"])
        #expect(fixture.settled.map(\.sms) == [.taken])
        #expect(fixture.isEmpty)
    }

    @Test("A recipient without a device, or without one that is served, gets a text message at once")
    func noDevice() {
        let none = DispatchFixture.pin(devices: 0) { $0.devices["anna"] = [] }
        #expect(none.attempts.isEmpty, "no number is known either")
        #expect(none.settled.map(\.status) == [.invalidSubscription])
        let android = DispatchFixture.pin {
            $0.devices["anna"] = [
                DispatchFixture.device(of: "anna", number: 1, platform: .android, phone: "+375290000001")
            ]
        }
        #expect(android.texts.count == 1)
        #expect(android.reasons == ["no channel serves the recipient's devices"])
    }

    @Test("A push that was taken waits for its receipt, and is followed by a text message without one")
    func noReceipt() {
        var fixture = DispatchFixture.pin()
        fixture.answer(.accepted)
        #expect(fixture.settled.map(\.nextAttempt) == [fixture.now.due + DispatchFixture.pushesHave])
        #expect(fixture.settled.map(\.status) == [.sent])
        #expect(fixture.isEmpty, "it waits in the ledger")
        fixture.wait(DispatchFixture.pushesHave)
        #expect(fixture.loads.count == 1)
        let row = QueuedDelivery(
            sequence: 1,
            notification: OutgoingNotification(
                notification: DispatchFixture.notification(type: .pinCode),
                sequence: 1,
                acceptedAt: fixture.now.wall - DispatchFixture.pushesHave
            ),
            recipient: "anna",
            status: .sent,
            attempts: 1,
            due: fixture.now.due,
            finishedDevices: [100],
            fallback: fixture.now.due
        )
        fixture.tell([.page(.urgent, .success(DuePage(deliveries: [row], nextDue: nil)))])
        #expect(fixture.texts.count == 1)
        #expect(fixture.reasons == ["no receipt in time"])
        fixture.answer(.accepted)
        #expect(fixture.settled.last?.notes == [.sent(channel: "sms")], "the delivery's channel is the push's")
        #expect(fixture.settled.last?.channel == nil)
        let counted = fixture.machine.metrics.ended().filter { $0.count > 0 }
        #expect(counted.map(\.channel) == ["apns", "sms"])
        #expect(counted.map(\.count) == [1, 1])
    }

    @Test("Pushes that are not answered have no more time than others, and their late answers change nothing")
    func unanswered() {
        var fixture = DispatchFixture.pin(timeout: 20)
        fixture.wait(9_999)
        #expect(fixture.attempts.count == 1)
        fixture.wait(1)
        #expect(fixture.texts.count == 1)
        #expect(fixture.reasons == ["no push was taken in time"])
        fixture.answer(PINAnswers.dead)
        #expect(fixture.attempts.count == 1)
        #expect(fixture.ended.isEmpty)
        fixture.answer(.accepted)
        #expect(fixture.settled.last?.sms == .taken)
        #expect(fixture.ended.map(\.subscription) == [100])
        #expect(fixture.isEmpty)
    }

    @Test("A push that is taken late is kept, and no reason to hold the text message back")
    func late() {
        var fixture = DispatchFixture.pin(timeout: 20)
        fixture.wait(10_000)
        fixture.answer(.accepted)
        #expect(fixture.settled.map(\.channel) == ["apns"])
        #expect(fixture.settled.map(\.sms) == [nil])
        fixture.answer(.rejected(reason: "400"))
        #expect(fixture.settled.last?.status == .sendingFailed)
        #expect(fixture.settled.last?.notes == [.refused(channel: "sms", reason: "400")])
        #expect(fixture.isEmpty)
    }

    @Test("Busy providers are asked again until the time of pushes is over, and never after")
    func busy() {
        var fixture = DispatchFixture.pin()
        var pushes = 0
        while fixture.now.due < .after(1_000_000) + DispatchFixture.pushesHave, fixture.texts.isEmpty {
            if !fixture.attempts.isEmpty {
                pushes += 1
                fixture.answer(PINAnswers.busy)
            }
            fixture.wait(100)
            fixture.answerLoads()
        }
        #expect(pushes > 2)
        #expect(fixture.texts.count == 1)
        #expect(fixture.attempts.count == 1)
    }

    @Test("A channel that cannot be used holds a PIN code until its fallback and no longer", arguments: [true, false])
    func blocked(isPaused: Bool) {
        var fixture = DispatchFixture.pin {
            if isPaused { $0.machine.parts.gates[0].pause(true, at: $0.now.monotonic) }
        }
        if !isPaused { fixture.answer(.unavailable(reason: "403 InvalidProviderToken")) }
        #expect(fixture.attempts.isEmpty)
        var tries = 0
        while fixture.now.due < .after(1_000_000) + DispatchFixture.pushesHave - 100 {
            fixture.wait(100)
            guard !fixture.attempts.isEmpty else { continue }
            tries += 1
            fixture.answer(.unavailable(reason: "403 InvalidProviderToken"))
        }
        #expect(fixture.texts.isEmpty)
        #expect(isPaused == (tries == 0), "others probe the channel")
        fixture.wait(100)
        #expect(fixture.texts.count == 1)
        fixture.answer(.accepted)
        #expect(fixture.isEmpty)
        #expect(fixture.machine.parts.gates[0].waiting == 0)
    }

    @Test("A receipt ends a PIN code wherever it is, and leaves nothing behind")
    func received() {
        let states: [(inout DispatchFixture) -> Void] = [
            { _ in },
            { $0.answer(PINAnswers.busy) },
            { $0.answer(.unavailable(reason: "403")) },
            { $0.answer(.accepted) },
            { fixture in
                fixture.grantsIntents = nil
                fixture.answer(PINAnswers.dead)
            },
        ]
        for (index, prepare) in states.enumerated() {
            var fixture = DispatchFixture.pin()
            prepare(&fixture)
            fixture.tell([.received(1)])
            if index == 0 { fixture.answer(.accepted) }
            if index == 4 { fixture.answerIntents(.success([false])) }
            #expect(fixture.isEmpty, "state \(index)")
            #expect(fixture.machine.metrics.depth(.urgent) == 0, "state \(index)")
            fixture.wait(DispatchFixture.pushesHave)
            #expect(fixture.attempts.isEmpty, "state \(index)")
            #expect(fixture.machine.parts.table.attempts.isEmpty, "state \(index)")
            #expect(
                fixture.machine.parts.gates.allSatisfy { $0.flow.underWay == 0 && $0.flow.permits == 0 },
                "state \(index)"
            )
        }
    }

    @Test("One device that took it is enough to wait; the others go on until the fallback")
    func severalDevices() {
        var fixture = DispatchFixture.pin(devices: 2)
        fixture.answer(.accepted, PINAnswers.busy)
        #expect(fixture.texts.isEmpty)
        fixture.wait(1_001)
        #expect(fixture.attempts.count == 1)
        fixture.answer(.unknown(reason: "no answer"))
        #expect(fixture.texts.isEmpty, "another phone may tell that it has it")
        #expect(fixture.intents.isEmpty)
        let counted = fixture.machine.metrics.ended().filter { $0.count > 0 }
        #expect(counted.map(\.channel) == ["apns"])
        #expect(counted.map(\.count) == [1])
    }
}
