// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Testing

@testable import Engine

@Suite("What the dispatcher decides")
struct DispatchTests {
    private let busy = Outcome.retry(after: nil, scope: .delivery, reason: "429 TooManyRequests")

    @Test("an accepted attempt is written as SENT, closed, with its channel")
    func accepted() {
        var fixture = DispatchFixture()
        fixture.accept(DispatchFixture.notification())
        fixture.answer(.accepted)
        #expect(fixture.settled.map(\.status) == [.sent])
        #expect(fixture.settled.map(\.nextAttempt) == [nil])
        #expect(fixture.settled.map(\.channel) == ["apns"])
        #expect(fixture.machine.parts.table.count == 0)
        #expect(fixture.machine.parts.lanes.map(\.active) == [0, 0])
    }

    @Test("a retry waits its backoff, keeps its delivery and ends SENT")
    func retried() {
        var fixture = DispatchFixture()
        fixture.accept(DispatchFixture.notification())
        fixture.answer(busy)
        #expect(fixture.attempts.isEmpty)
        #expect(fixture.settled.last?.nextAttempt != nil)
        fixture.wait(1_001)
        #expect(fixture.attempts.count == 1)
        fixture.answer(.accepted)
        #expect(fixture.settled.last?.status == .sent)
        #expect(fixture.settled.last?.attempts == 2)
    }

    @Test("nothing is sent before Retry-After has passed, and not all at the same moment")
    func retryAfter() {
        var fixture = DispatchFixture()
        let users = (0..<50).map { RecipientID("user\($0)") }
        fixture.accept(DispatchFixture.notification(to: users))
        let tickets = fixture.attempts.map(\.ticket)
        #expect(tickets.count == 50)
        for _ in tickets { fixture.answer(.retry(after: 3_000, scope: .delivery, reason: "429")) }
        fixture.wait(2_999)
        #expect(fixture.attempts.isEmpty)
        fixture.wait(501)
        #expect((1..<50).contains(fixture.attempts.count))
        fixture.wait(501)
        #expect(fixture.attempts.count == 50)
    }

    @Test("a timeout of 0 and a perishable have one attempt", arguments: [true, false])
    func once(isPerishable: Bool) {
        var fixture = DispatchFixture()
        fixture.accept(DispatchFixture.notification(timeout: isPerishable ? 600 : 0, isPerishable: isPerishable))
        fixture.answer(busy)
        #expect(fixture.settled.map(\.status) == [isPerishable ? .sendingFailed : .expired])
        fixture.wait(60_000)
        #expect(fixture.attempts.isEmpty)
        #expect(fixture.machine.parts.table.count == 0)
    }

    @Test("what nobody took in time ends EXPIRED, whatever it waited for")
    func expired() {
        var fixture = DispatchFixture()
        fixture.machine.parts.gates[0].pause(true, at: fixture.now.monotonic)
        fixture.accept(DispatchFixture.notification(timeout: 5))
        #expect(fixture.attempts.isEmpty)
        fixture.wait(5_000)
        #expect(fixture.sweeps > 0)
        let overdue = QueuedDelivery(
            sequence: 1,
            notification: fixture.machine.parts.table[1]!.notification,
            recipient: "anna",
            status: .queued,
            attempts: 0,
            due: .after(0),
            finishedDevices: []
        )
        fixture.tell([.overdue(.success([overdue]))])
        #expect(fixture.settled.map(\.status) == [.expired])
        fixture.tell([.pause(ChannelID("apns"), false)])
        #expect(fixture.attempts.isEmpty)
    }

    @Test("an answer that comes after the timeout still counts")
    func lateAnswer() {
        var fixture = DispatchFixture()
        fixture.accept(DispatchFixture.notification(timeout: 1))
        fixture.wait(3_000)
        fixture.answer(.accepted)
        #expect(fixture.settled.last?.status == .sent)
    }

    @Test("several devices: one success is enough, and is written before the other has answered")
    func severalDevices() {
        var fixture = DispatchFixture()
        fixture.devices["anna"] = [1, 2].map { DispatchFixture.device(of: "anna", number: $0) }
        fixture.accept(DispatchFixture.notification())
        #expect(fixture.attempts.count == 2)
        fixture.answer(.accepted)
        #expect(fixture.settled.last?.status == .sent)
        #expect(fixture.settled.last?.nextAttempt != nil)
        #expect(fixture.settled.last?.finishedDevices == [1])
        fixture.answer(busy)
        fixture.wait(1_001)
        #expect(fixture.attempts.map(\.device?.subscription) == [2])
        fixture.answer(.gone(Outcome.Gone(since: nil, isAmbiguous: false, reason: "410 Unregistered")))
        #expect(fixture.settled.last?.status == .sent)
        #expect(fixture.settled.last?.nextAttempt == nil)
    }

    @Test("a dead token ends its subscription, unless it was registered after the verdict's time")
    func gone() {
        var fixture = DispatchFixture()
        fixture.accept(DispatchFixture.notification())
        fixture.answer(.gone(Outcome.Gone(since: .after(777), isAmbiguous: false, reason: "410 Unregistered")))
        #expect(fixture.ended == [SubscriptionEnd(subscription: 100, onlyToken: "ab", registeredUntil: .after(777))])
        #expect(fixture.settled.map(\.status) == [.invalidSubscription])
    }

    @Test("an ambiguous verdict removes nothing while the channel never had a success")
    func ambiguous() {
        var fixture = DispatchFixture()
        let verdict = Outcome.gone(Outcome.Gone(since: nil, isAmbiguous: true, reason: "400 BadDeviceToken"))
        fixture.accept(DispatchFixture.notification("n1", to: ["anna"]))
        fixture.answer(verdict)
        #expect(fixture.ended.isEmpty)
        fixture.accept(DispatchFixture.notification("n2", to: ["boris"]), first: 2)
        fixture.answer(.accepted)
        fixture.accept(DispatchFixture.notification("n3", to: ["clara"]), first: 3)
        fixture.answer(verdict)
        #expect(fixture.ended.count == 1)
    }

    @Test("a fault of ours pauses the channel, costs nobody anything, and is probed with one delivery at a time")
    func unavailable() {
        var fixture = DispatchFixture()
        let users = (0..<100).map { RecipientID("user\($0)") }
        fixture.accept(DispatchFixture.notification(to: users))
        for _ in 0..<100 { fixture.answer(.unavailable(reason: "403 InvalidProviderToken")) }
        #expect(fixture.settled.isEmpty)
        var probes = 0
        for _ in 0..<600 {
            fixture.wait(100)
            #expect(fixture.attempts.count <= 1)
            if !fixture.attempts.isEmpty {
                probes += 1
                fixture.answer(.unavailable(reason: "403 InvalidProviderToken"))
            }
        }
        #expect((3..<20).contains(probes))
        fixture.wait(20_001)
        fixture.answer(.accepted)
        #expect(fixture.attempts.count == 99)
        while !fixture.attempts.isEmpty { fixture.answer(.accepted) }
        #expect(fixture.settled.filter { $0.status == .sent && $0.nextAttempt == nil }.count == 100)
        #expect(fixture.ended.isEmpty)
    }

    @Test(
        "What a channel's far end refused is counted at that channel",
        arguments: [
            (Outcome.rejected(reason: "413"), DeliveryStatus.sendingFailed),
            (.gone(Outcome.Gone(since: nil, isAmbiguous: false, reason: "410")), .invalidSubscription),
        ]
    )
    func refusals(outcome: Outcome, status: DeliveryStatus) {
        var fixture = DispatchFixture()
        fixture.accept(DispatchFixture.notification())
        fixture.answer(outcome)
        let counted = fixture.machine.metrics.ended().filter { $0.count > 0 }
        #expect(counted.map(\.channel) == ["apns"])
        #expect(counted.map(\.status) == [status])
    }

    @Test("twenty failures of the far end in a row suspend the channel")
    func breaker() {
        var fixture = DispatchFixture()
        let users = (0..<30).map { RecipientID("user\($0)") }
        fixture.accept(DispatchFixture.notification(to: users))
        for _ in 0..<20 { fixture.answer(.retry(after: nil, scope: .provider, reason: "503 ServiceUnavailable")) }
        #expect(
            fixture.notes == [
                "the far end fails: deliveries are tried again", "channel suspended: the far end fails",
            ]
        )
        #expect(!fixture.machine.parts.gates[0].farEnd.health.isWorking)
    }

    @Test("urgent deliveries go first, then higher priorities, then the order of acceptance")
    func order() {
        var settings = DispatchFixture.trusting
        settings.bulkFlights = 1...1
        settings.urgentFlights = 1
        var fixture = DispatchFixture(settings: settings)
        fixture.machine.parts.isDraining = true
        fixture.accept(DispatchFixture.notification("low", to: ["a"], priority: 1), first: 1)
        fixture.accept(DispatchFixture.notification("first", to: ["b"], priority: 5), first: 2)
        fixture.accept(DispatchFixture.notification("second", to: ["c"], priority: 5), first: 3)
        fixture.accept(DispatchFixture.notification("pin", to: ["d"], type: .pinCode), first: 4)
        fixture.machine.parts.isDraining = false
        fixture.tell([])
        var sent: [String] = []
        while !fixture.attempts.isEmpty {
            sent.append(fixture.attempts[0].notification.notification.id.text)
            fixture.answer(.accepted)
        }
        #expect(sent == ["pin", "first", "second", "low"])
    }

    @Test("a full window leaves the rest in the ledger and asks for it when there is room")
    func spill() {
        var settings = DispatchFixture.trusting
        settings.bulkWindow = 10
        settings.bulkFlights = 4...4
        var fixture = DispatchFixture(settings: settings)
        fixture.accept(DispatchFixture.notification(to: (0..<25).map { RecipientID("user\($0)") }))
        #expect(fixture.machine.parts.table.count == 10)
        #expect(fixture.attempts.count == 4)
        for _ in 0..<5 { fixture.answer(.accepted) }
        #expect(fixture.loads.map(\.limit) == [10])
        #expect(fixture.machine.metrics.depth(.bulk) == 20)
    }

    @Test("a delivery is not forgotten, nor brought back by a page, until its end is on disk")
    func writtenLate() {
        var fixture = DispatchFixture()
        fixture.writesAtOnce = false
        fixture.accept(DispatchFixture.notification())
        fixture.answer(.accepted)
        let stale = QueuedDelivery(
            sequence: 1,
            notification: OutgoingNotification(
                notification: DispatchFixture.notification(),
                sequence: 1,
                acceptedAt: fixture.now.wall
            ),
            recipient: "anna",
            status: .queued,
            attempts: 0,
            due: .after(0),
            finishedDevices: []
        )
        fixture.tell([.page(.bulk, .success(DuePage(deliveries: [stale], nextDue: nil)))])
        #expect(fixture.attempts.isEmpty)
        fixture.answerSettlements(.failure(.failed("disk full")))
        #expect(fixture.machine.parts.table.count == 1)
        let before = fixture.settled.count
        fixture.wait(1_001)
        #expect(fixture.settled.count == before + 1)
        fixture.answerSettlements(.success([true]))
        #expect(fixture.machine.parts.table.count == 0)
    }

    @Test("What another node owns leaves memory, and nothing more is done about it", arguments: [true, false])
    func lost(isOver: Bool) {
        var fixture = DispatchFixture()
        fixture.isOwner = false
        fixture.accept(DispatchFixture.notification("n1", to: ["anna"]), first: 1)
        fixture.answer(isOver ? .accepted : .retry(after: nil, scope: .delivery, reason: "429"))
        #expect(fixture.settled.count == 1)
        #expect(fixture.machine.parts.table.count == 0)
        #expect(fixture.machine.metrics.depth(.bulk) == 0)
        fixture.wait(120_000)
        #expect(fixture.attempts.isEmpty)
        #expect(fixture.settled.count == 1)
    }

    @Test("What another node left is read, from the lanes and from what is parked")
    func reclaimed() {
        var fixture = DispatchFixture()
        fixture.tell([.page(.urgent, .success(DuePage(deliveries: [], nextDue: nil)))])
        fixture.tell([.page(.bulk, .success(DuePage(deliveries: [], nextDue: nil)))])
        for index in fixture.machine.parking.queues.indices {
            fixture.tell([.parkedPage(index, .success(DuePage(deliveries: [], nextDue: nil)))])
        }
        let before = (fixture.loads.count, fixture.parkedLoads.count)
        fixture.wait(1)
        #expect((fixture.loads.count, fixture.parkedLoads.count) == before)
        fixture.tell([.reclaimed])
        #expect(fixture.loads.count == before.0 + 2)
        #expect(fixture.parkedLoads.count > before.1)
    }

    @Test("draining begins nothing new and ends when all is written")
    func drain() {
        var fixture = DispatchFixture()
        fixture.accept(DispatchFixture.notification("n1", to: ["anna"]), first: 1)
        fixture.tell([.drain])
        fixture.accept(DispatchFixture.notification("n2", to: ["boris"]), first: 2)
        #expect(fixture.attempts.count == 1)
        #expect(!fixture.machine.isDrained)
        fixture.answer(.accepted)
        #expect(fixture.machine.isDrained)
    }

    @Test("a channel that never answers does not hold a delivery for ever")
    func silence() {
        var fixture = DispatchFixture()
        fixture.accept(DispatchFixture.notification())
        fixture.wait(31_000)
        #expect(fixture.settled.last?.nextAttempt != nil)
        #expect(fixture.machine.parts.table.attempts.isEmpty)
    }
}
