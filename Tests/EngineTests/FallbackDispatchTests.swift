// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

@testable import Engine

@Suite("From a PIN code's pushes to its text message")
struct FallbackDispatchTests {
    private static let busy = Outcome.retry(after: nil, scope: .delivery, reason: "429 TooManyRequests")
    private static let dead = Outcome.gone(Outcome.Gone(since: nil, isAmbiguous: false, reason: "410 Unregistered"))
    private static let after: Int64 = 30_000

    /// A machine with a channel for iPhones and a gateway, and anna's PIN code in it.
    private static func fixture(
        timeout: Int = 600,
        isPerishable: Bool = false,
        devices: Int = 1,
        phone: String? = "+375290000001",
        type: NotificationType = .pinCode,
        condition: Condition? = nil,
        rate: Double? = nil,
        settings: DispatchSettings = DispatchFixture.trusting,
        prepare: (inout DispatchFixture) -> Void = { _ in }
    ) -> DispatchFixture {
        let channels = [
            ChannelState(label: "apns", reach: .devices([.ios]), condition: nil),
            ChannelState(label: "sms", reach: .phones, condition: condition, rate: rate, fallbackDelay: after),
        ]
        var fixture = DispatchFixture(settings: settings, channels: channels)
        fixture.devices["anna"] = (0..<devices).map {
            DispatchFixture.device(of: "anna", number: 100 - Int64($0), phone: phone)
        }
        prepare(&fixture)
        let notification = DispatchFixture.notification(timeout: timeout, type: type, isPerishable: isPerishable)
        let routes = fixture.machine.channels.compactMap(\.phones)
        fixture.accept(
            notification,
            fallback: routes.fallbackTime(for: notification, acceptedAt: fixture.now)
        )
        return fixture
    }

    /// The reasons that the timeline is told.
    private static func reasons(_ fixture: DispatchFixture) -> [String] {
        fixture.intents.flatMap(\.notes).map { note in
            if case .fallback("sms", let reason) = note { reason } else { "\(note)" }
        }
    }

    private static func texts(_ fixture: DispatchFixture) -> [Dispatch.PlannedAttempt] {
        fixture.attempts.filter { $0.address == .phone("+375290000001") }
    }

    @Test(
        "What no device took goes out as a text message at once, and tells why",
        arguments: [
            (dead, "apns: 410 Unregistered"), (.rejected(reason: "400 PayloadEmpty"), "apns: 400 PayloadEmpty"),
            (.unknown(reason: "no answer"), "apns: no answer"),
        ] as [(Outcome, String)]
    )
    func atOnce(outcome: Outcome, reason: String) {
        var fixture = Self.fixture()
        fixture.answer(outcome)
        #expect(Self.texts(fixture).count == 1)
        #expect(Self.reasons(fixture) == [reason])
        #expect(fixture.settled.isEmpty, "the intent holds all there is to write")
        fixture.answer(.accepted)
        #expect(fixture.settled.map(\.status) == [.sent])
        #expect(fixture.settled.map(\.channel) == ["sms"])
        #expect(fixture.settled.map(\.text) == [.taken])
        #expect(fixture.isEmpty)
    }

    @Test("A recipient without a device, or without one that is served, gets a text message at once")
    func noDevice() {
        let none = Self.fixture(devices: 0) { $0.devices["anna"] = [] }
        #expect(none.attempts.isEmpty, "no number is known either")
        #expect(none.settled.map(\.status) == [.invalidSubscription])
        let android = Self.fixture {
            $0.devices["anna"] = [
                DispatchFixture.device(of: "anna", number: 1, platform: .android, phone: "+375290000001")
            ]
        }
        #expect(Self.texts(android).count == 1)
        #expect(Self.reasons(android) == ["no channel serves the recipient's devices"])
    }

    @Test("Nothing goes out before the ledger has the intent, nor where it will not have it")
    func intentFirst() {
        var fixture = Self.fixture { $0.grantsIntents = nil }
        fixture.answer(Self.dead)
        #expect(fixture.intents.map(\.text) == [.called])
        #expect(fixture.attempts.isEmpty)
        #expect(fixture.ended.isEmpty, "the number is this subscription's")
        fixture.tell([.intended([1], .success([true]))])
        #expect(Self.texts(fixture).count == 1)
        #expect(fixture.ended.map(\.subscription) == [100])

        var refused = Self.fixture { $0.grantsIntents = false }
        refused.answer(Self.dead)
        #expect(refused.attempts.isEmpty)
        #expect(refused.isEmpty)
        #expect(refused.machine.metrics.depth(.urgent) == 0)
    }

    @Test("An intent that the ledger could not write is tried again")
    func intentFails() {
        var fixture = Self.fixture { $0.grantsIntents = nil }
        fixture.answer(Self.dead)
        fixture.tell([.intended([1], .failure(.failed("disk full")))])
        #expect(fixture.attempts.isEmpty)
        fixture.grantsIntents = true
        fixture.wait(1_001)
        #expect(Self.texts(fixture).count == 1)
        #expect(Self.reasons(fixture) == ["apns: 410 Unregistered", "apns: 410 Unregistered"])
    }

    @Test("A push that was taken waits for its receipt, and is followed by a text message without one")
    func noReceipt() {
        var fixture = Self.fixture()
        fixture.answer(.accepted)
        #expect(fixture.settled.map(\.nextAttempt) == [fixture.now + Self.after])
        #expect(fixture.settled.map(\.status) == [.sent])
        #expect(fixture.isEmpty, "it waits in the ledger")
        fixture.wait(Self.after)
        #expect(fixture.loads.count == 1)
        let row = QueuedDelivery(
            sequence: 1,
            notification: OutgoingNotification(
                notification: DispatchFixture.notification(type: .pinCode),
                sequence: 1,
                acceptedAt: fixture.now - Self.after
            ),
            recipient: "anna",
            status: .sent,
            attempts: 1,
            due: fixture.now,
            finishedDevices: [100],
            fallback: fixture.now
        )
        fixture.tell([.page(.urgent, .success(DuePage(deliveries: [row], nextDue: nil)))])
        #expect(Self.texts(fixture).count == 1)
        #expect(Self.reasons(fixture) == ["no receipt in time"])
        fixture.answer(.accepted)
        #expect(fixture.settled.last?.notes == [.sent(channel: "sms")], "the delivery's channel is the push's")
        #expect(fixture.settled.last?.channel == nil)
        let counted = fixture.machine.metrics.ended().filter { $0.count > 0 }
        #expect(counted.map(\.channel) == ["apns", "sms"])
        #expect(counted.map(\.count) == [1, 1])
    }

    @Test("Pushes that are not answered have no more time than others, and their late answers change nothing")
    func unanswered() {
        var fixture = Self.fixture(timeout: 20)
        fixture.wait(9_999)
        #expect(fixture.attempts.count == 1)
        fixture.wait(1)
        #expect(Self.texts(fixture).count == 1)
        #expect(Self.reasons(fixture) == ["no push was taken in time"])
        fixture.answer(Self.dead)
        #expect(fixture.attempts.count == 1)
        #expect(fixture.ended.isEmpty)
        fixture.answer(.accepted)
        #expect(fixture.settled.last?.text == .taken)
        #expect(fixture.ended.map(\.subscription) == [100])
        #expect(fixture.isEmpty)
    }

    @Test("A push that is taken late is kept, and no reason to hold the text message back")
    func late() {
        var fixture = Self.fixture(timeout: 20)
        fixture.wait(10_000)
        fixture.answer(.accepted)
        #expect(fixture.settled.map(\.channel) == ["apns"])
        #expect(fixture.settled.map(\.text) == [nil])
        fixture.answer(.rejected(reason: "400"))
        #expect(fixture.settled.last?.status == .sendingFailed)
        #expect(fixture.settled.last?.notes == [.refused(channel: "sms", reason: "400")])
        #expect(fixture.isEmpty)
    }

    @Test("Busy providers are asked again until the time of pushes is over, and never after")
    func busy() {
        var fixture = Self.fixture()
        var pushes = 0
        while fixture.now < 1_000_000 + Self.after, Self.texts(fixture).isEmpty {
            if !fixture.attempts.isEmpty {
                pushes += 1
                fixture.answer(Self.busy)
            }
            fixture.wait(100)
            fixture.answerLoads()
        }
        #expect(pushes > 2)
        #expect(Self.texts(fixture).count == 1)
        #expect(fixture.attempts.count == 1)
    }

    @Test("A channel that cannot be used holds a PIN code until its fallback and no longer", arguments: [true, false])
    func blocked(isPaused: Bool) {
        var fixture = Self.fixture { if isPaused { $0.machine.channels[0].isPaused = true } }
        if !isPaused { fixture.answer(.unavailable(reason: "403 InvalidProviderToken")) }
        #expect(fixture.attempts.isEmpty)
        var tries = 0
        while fixture.now < 1_000_000 + Self.after - 100 {
            fixture.wait(100)
            guard !fixture.attempts.isEmpty else { continue }
            tries += 1
            fixture.answer(.unavailable(reason: "403 InvalidProviderToken"))
        }
        #expect(Self.texts(fixture).isEmpty)
        #expect(isPaused == (tries == 0), "others probe the channel")
        fixture.wait(100)
        #expect(Self.texts(fixture).count == 1)
        fixture.answer(.accepted)
        #expect(fixture.isEmpty)
        #expect(fixture.machine.channels[0].blocked.map(\.count) == [0, 0])
    }

    @Test("More than may wait in memory leave it until the fallback, none of them parked")
    func manyBlocked() {
        var settings = DispatchFixture.trusting
        settings.urgentWindow = 16
        var fixture = Self.fixture(settings: settings) { $0.machine.channels[0].isPaused = true }
        for number in 2...8 {
            let notification = DispatchFixture.notification(NotificationID("n\(number)"), type: .pinCode)
            fixture.accept(notification, first: Int64(number), fallback: fixture.now + Self.after)
        }
        #expect(fixture.settled.count == 4)
        #expect(fixture.settled.allSatisfy { $0.nextAttempt == 1_000_000 + Self.after && $0.parking == nil })
    }

    @Test("A gateway that is busy or out of use is asked until the timeout, and no longer")
    func gatewayDown() {
        var fixture = Self.fixture(timeout: 60)
        fixture.answer(Self.dead)
        for outcome in [
            Outcome.retry(after: nil, scope: .provider, reason: "503"), .unavailable(reason: "403"),
        ] {
            fixture.answer(outcome)
            #expect(fixture.settled.last?.text == .due)
            #expect(fixture.settled.last?.phone == "+375290000001", "its subscription is gone")
            fixture.wait(1_001)
            #expect(Self.texts(fixture).count == 1)
        }
        #expect(Self.reasons(fixture) == ["apns: 410 Unregistered"], "told once")
        fixture.answer(.unavailable(reason: "403"))
        fixture.wait(58_000)
        fixture.answer(.unavailable(reason: "403"))
        #expect(fixture.settled.last?.status == .expired)
        #expect(fixture.isEmpty)
    }

    @Test("A gateway's rate holds for text messages")
    func rate() {
        var fixture = Self.fixture(rate: 10)
        fixture.answer(Self.dead)
        for number in 2...6 {
            let notification = DispatchFixture.notification(NotificationID("n\(number)"), type: .pinCode)
            fixture.accept(notification, first: Int64(number), fallback: fixture.now + Self.after)
            while fixture.attempts.contains(where: { $0.device != nil }) {
                fixture.answerFirst({ $0.device != nil }, Self.dead)
            }
        }
        #expect(Self.texts(fixture).count == 1)
        for expected in 2...6 {
            fixture.wait(101)
            #expect(Self.texts(fixture).count == expected)
        }
    }

    @Test("What a gateway was asked and did not answer is not asked again")
    func silent() {
        var fixture = Self.fixture()
        fixture.answer(Self.dead)
        fixture.answer(.unknown(reason: "timeout"))
        #expect(fixture.settled.map(\.status) == [.sent])
        #expect(fixture.settled.map(\.text) == [.called])
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
        var fixture = Self.fixture(devices: 0, phone: nil)
        let notification = OutgoingNotification(
            notification: DispatchFixture.notification("n2", timeout: 60, type: .pinCode),
            sequence: 2,
            acceptedAt: fixture.now - (isExpired ? 60_000 : 0)
        )
        let row = QueuedDelivery(
            sequence: 2,
            notification: notification,
            recipient: "anna",
            status: .queued,
            attempts: 2,
            due: fixture.now,
            finishedDevices: [],
            fallback: fixture.now,
            text: .called,
            phone: "+375290000001"
        )
        let settled = fixture.settled.count
        let page = DuePage(deliveries: [row], nextDue: nil)
        fixture.machine.lanes[0].isLoading = true
        fixture.tell(isExpired ? [.overdue(.success([row]))] : [.page(.urgent, .success(page))])
        #expect(fixture.attempts.isEmpty)
        #expect(fixture.settled.dropFirst(settled).map(\.status) == [.sent])
        #expect(fixture.settled.last?.notes.count == 1)
        #expect(fixture.isEmpty)
    }

    @Test("A receipt ends a PIN code wherever it is, and leaves nothing behind")
    func received() {
        let states: [(inout DispatchFixture) -> Void] = [
            { _ in },
            { $0.answer(Self.busy) },
            { $0.answer(.unavailable(reason: "403")) },
            { $0.answer(.accepted) },
            { fixture in
                fixture.grantsIntents = nil
                fixture.answer(Self.dead)
            },
        ]
        for (index, prepare) in states.enumerated() {
            var fixture = Self.fixture()
            prepare(&fixture)
            fixture.tell([.received(1)])
            if index == 0 { fixture.answer(.accepted) }
            if index == 4 { fixture.tell([.intended([1], .success([false]))]) }
            #expect(fixture.isEmpty, "state \(index)")
            #expect(fixture.machine.metrics.depth(.urgent) == 0, "state \(index)")
            fixture.wait(Self.after)
            #expect(fixture.attempts.isEmpty, "state \(index)")
            #expect(fixture.machine.flights.isEmpty, "state \(index)")
            #expect(fixture.machine.channels.allSatisfy { $0.flights == 0 && $0.leaves == 0 }, "state \(index)")
        }
    }

    @Test("One device that took it is enough to wait; the others go on until the fallback")
    func severalDevices() {
        var fixture = Self.fixture(devices: 2)
        fixture.answer(.accepted, Self.busy)
        #expect(Self.texts(fixture).isEmpty)
        fixture.wait(1_001)
        #expect(fixture.attempts.count == 1)
        fixture.answer(.unknown(reason: "no answer"))
        #expect(Self.texts(fixture).isEmpty, "another phone may tell that it has it")
        #expect(fixture.intents.isEmpty)
    }

    @Test("A perishable and a timeout of 0 have one push and one text message")
    func once() {
        for (timeout, isPerishable) in [(0, false), (600, true)] {
            var fixture = Self.fixture(timeout: timeout, isPerishable: isPerishable)
            #expect(fixture.attempts.map(\.expiration) == [0])
            fixture.answer(Self.busy)
            #expect(Self.texts(fixture).count == 1)
            fixture.answer(Self.busy)
            #expect(fixture.settled.last?.status == (isPerishable ? .sendingFailed : .expired))
            #expect(fixture.isEmpty)
        }
        var waiting = Self.fixture(timeout: 0)
        waiting.answer(.accepted)
        waiting.wait(5_000)
        waiting.answerLoads()
        #expect(Self.texts(waiting).count == 1, "half of the ten seconds that now lasts")
    }

    @Test("Without a number there is no fallback: pushes go on, and are kept as long as others")
    func noNumber() {
        var fixture = Self.fixture(phone: nil)
        #expect(fixture.attempts.map(\.expiration) == [1_600])
        fixture.answer(.unknown(reason: "no answer"))
        fixture.wait(1_001)
        #expect(fixture.attempts.count == 1, "it is repeated under the same id")
        fixture.answer(.accepted)
        #expect(fixture.settled.last?.status == .sent)
        #expect(fixture.settled.last?.nextAttempt == nil)
    }

    @Test("Only PIN codes go to phones, and only those that the gateway's condition lets through")
    func conditions() {
        let other = Self.fixture(type: .universal)
        #expect(other.attempts.map(\.fallback) == [nil])
        let closed = Self.fixture(condition: .type([.message]))
        #expect(closed.attempts.map(\.fallback) == [nil])
        let open = Self.fixture(condition: .type([.pinCode]))
        #expect(open.attempts.map(\.fallback) == [1_000_000 + Self.after])
        #expect(open.attempts.map(\.expiration) == [1_060])
    }

    @Test("The bank's own number goes first where there is one recipient, in however many spellings")
    func tagged() {
        var notification = DispatchFixture.notification(to: ["anna"], type: .pinCode)
        notification.details = PushDetails(name: "x", tags: [PushDetails.Tag(key: "phone", value: "+375299999999")])
        let devices = [DispatchFixture.device(of: "anna", number: 1, phone: "+375290000001")]
        #expect(notification.phone(among: devices) == "+375299999999")
        let outgoing = OutgoingNotification(notification: notification, sequence: 1, acceptedAt: 0)
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
        var fixture = Self.fixture()
        fixture.tell([.drain])
        fixture.answer(Self.dead)
        #expect(fixture.attempts.isEmpty)
        #expect(fixture.intents.isEmpty)
        #expect(fixture.settled.map(\.text) == [.due])
        #expect(fixture.settled.map(\.phone) == ["+375290000001"])
        #expect(fixture.machine.isDrained)
    }
}

extension DispatchFixture {
    /// Whether nothing is in memory and nothing is counted as under way.
    var isEmpty: Bool { machine.entries.isEmpty && machine.lanes.allSatisfy { $0.count == 0 && $0.active == 0 } }

    /// Answers the first attempt that is meant.
    mutating func answerFirst(_ isMeant: (Dispatch.PlannedAttempt) -> Bool, _ outcome: Outcome) {
        guard let index = attempts.firstIndex(where: isMeant) else { return }
        let attempt = attempts.remove(at: index)
        tell([.reports([DeliveryReport(ticket: attempt.ticket, outcome: outcome)])])
    }

    /// Answers what the ledger was asked for with what was last written of the deliveries that left memory.
    mutating func answerLoads() {
        for (lane, _) in loads where machine.lanes[lane.rawValue].isLoading {
            var latest: [Int64: Settlement] = [:]
            for settlement in settled + intents { latest[settlement.delivery] = settlement }
            let due = latest.values.filter { settlement in
                machine.entries[settlement.delivery] == nil && settlement.nextAttempt.map { $0 <= now } ?? false
            }
            let rows = due.compactMap { settlement in
                accepted[settlement.delivery].map { place in
                    QueuedDelivery(
                        sequence: settlement.delivery,
                        notification: place.notification,
                        recipient: place.recipient,
                        status: settlement.status,
                        attempts: settlement.attempts,
                        due: now,
                        finishedDevices: settlement.finishedDevices,
                        fallback: place.fallback,
                        text: settlement.text,
                        phone: settlement.phone
                    )
                }
            }
            let later = latest.values.compactMap(\.nextAttempt).filter { $0 > now }.min()
            tell([.page(lane, .success(DuePage(deliveries: rows, nextDue: later)))])
        }
    }
}
