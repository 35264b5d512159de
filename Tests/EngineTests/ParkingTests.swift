// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Testing

@testable import Engine

@Suite("What waits for a channel that cannot be used")
struct ParkingTests {
    private let down = Outcome.unavailable(reason: "403 InvalidProviderToken")

    /// A window of 40, so that ten may wait for a channel; Annas have iPhones, Boris has an Android.
    private func fixture() -> DispatchFixture {
        var settings = DispatchFixture.trusting
        settings.bulkWindow = 40
        settings.bulkFlights = 20...20
        var fixture = DispatchFixture(
            settings: settings,
            channels: [
                ChannelSetup(label: "apns", reach: .devices([.ios]), condition: nil),
                ChannelSetup(label: "fcm", reach: .devices([.android]), condition: nil),
            ]
        )
        fixture.devices["boris"] = [DispatchFixture.device(of: "boris", number: 7, platform: .android)]
        return fixture
    }

    private func users(_ count: Int) -> [RecipientID] { (0..<count).map { RecipientID("anna\($0)") } }

    private func parked(_ fixture: DispatchFixture) -> [Settlement] {
        fixture.settled.filter { ($0.parking ?? 0) != 0 }
    }

    @Test("a paused channel holds a quarter of the window, the rest is parked, and another channel's goes on")
    func quarter() {
        var fixture = fixture()
        fixture.tell([.pause(ChannelID("apns"), true)])
        for batch in 0..<20 {
            fixture.accept(
                DispatchFixture.notification(NotificationID("n\(batch)"), to: users(20)),
                first: Int64(1 + 20 * batch)
            )
        }
        #expect(fixture.machine.parts.table.count == 10)
        #expect(parked(fixture).count == 390)
        #expect(Set(parked(fixture).map(\.parking)) == [fixture.machine.parking.queues[0].number])
        #expect(parked(fixture).allSatisfy { $0.outcomes.isEmpty && $0.status == .queued })
        fixture.accept(DispatchFixture.notification("other", to: ["boris"]), first: 5_000)
        #expect(fixture.attempts.map(\.sequence) == [5_000])
    }

    @Test("what was under way when the channel broke is parked beyond the quarter, and probes go on")
    func broken() {
        var fixture = fixture()
        fixture.accept(DispatchFixture.notification(to: users(20)))
        #expect(fixture.attempts.count == 20)
        for _ in 0..<20 { fixture.answer(down) }
        #expect(parked(fixture).count == 10)
        #expect(fixture.machine.parts.table.count == 10)
        fixture.wait(1_001)
        #expect(fixture.attempts.count == 1)
    }

    @Test("what is parked is loaded when the channel works again, in pages")
    func back() {
        var fixture = fixture()
        fixture.tell([.pause(ChannelID("apns"), true)])
        let notification = DispatchFixture.notification(to: users(30))
        fixture.accept(notification)
        #expect(parked(fixture).count == 20)
        #expect(fixture.parkedLoads.isEmpty)
        fixture.tell([.pause(ChannelID("apns"), false)])
        #expect(fixture.attempts.count == 10)
        while !fixture.attempts.isEmpty { fixture.answer(.accepted) }
        #expect(fixture.parkedLoads.map(\.queue) == [1])
        let numbers = parked(fixture).map(\.delivery)
        let rows = numbers.map { fixture.row($0, to: RecipientID("anna\($0 - 1)"), notification) }
        fixture.answerParked([1: DuePage(deliveries: Array(rows[..<10]), nextDue: nil, hasMore: true)])
        #expect(fixture.attempts.count == 10)
        while !fixture.attempts.isEmpty { fixture.answer(.accepted) }
        fixture.answerParked([1: DuePage(deliveries: Array(rows[10...]), nextDue: nil)])
        while !fixture.attempts.isEmpty { fixture.answer(.accepted) }
        #expect(Set(fixture.settled.filter { $0.status == .sent }.map(\.delivery)) == Set(1...30))
        #expect(fixture.machine.parts.table.count == 0)
        #expect(fixture.machine.parking.queues.allSatisfy { $0.count == 0 })
    }

    @Test("a parked delivery that must wait goes back to the lane's own queue")
    func retried() {
        var fixture = fixture()
        let notification = DispatchFixture.notification(to: ["anna0"])
        fixture.devices["anna0"] = [DispatchFixture.device(of: "anna0", number: 1)]
        fixture.machine.parking.queues[1].cursor.spill()
        fixture.tell([])
        fixture.answerParked([1: DuePage(deliveries: [fixture.row(9, to: "anna0", notification)], nextDue: nil)])
        #expect(fixture.machine.parking.queues[1].count == 1)
        fixture.answer(.retry(after: nil, scope: .delivery, reason: "429"))
        #expect(fixture.settled.last?.parking == 0)
        #expect(fixture.machine.parking.queues[1].count == 0)
    }

    @Test("with nothing in memory, a suspended channel is probed with something parked")
    func probe() {
        var fixture = fixture()
        fixture.accept(DispatchFixture.notification(to: ["anna0"], timeout: 1))
        fixture.answer(down)
        fixture.machine.parking.queues[1].cursor.spill()
        let overdue = fixture.row(1, to: "anna0", DispatchFixture.notification(to: ["anna0"], timeout: 1))
        fixture.wait(1_000)
        if !fixture.attempts.isEmpty { fixture.answer(down) }
        fixture.tell([.overdue(.success([overdue]))])
        #expect(fixture.machine.parts.gates[0].waiting(.bulk) == 0)
        fixture.wait(5_000)
        #expect(fixture.parkedLoads.map(\.queue) == [1])
        let row = fixture.row(9, to: "anna0", DispatchFixture.notification("n9", to: ["anna0"]))
        fixture.answerParked([1: DuePage(deliveries: [row], nextDue: nil)])
        #expect(fixture.attempts.map(\.sequence) == [9])
    }

    @Test("after a restart the queues of channels that are no more are taken back")
    func orphans() {
        let states = [ChannelSetup(label: "fcm", reach: .devices([.ios]), condition: nil)]
        let old = ParkedQueue.numbers(of: ["apns"])[0]
        let machine = Dispatch(
            identity: LedgerIdentity(high: 1, low: 2),
            settings: DispatchFixture.trusting,
            channels: states,
            topics: [:],
            metrics: DeliveryMetrics(pipeline: "test", channels: ["fcm"]),
            parked: [(number: old, lane: .bulk)],
            isObserved: false
        )
        let loads = machine.handle([], at: .after(1_000)).compactMap { action -> Int32? in
            if case .loadParked(_, .bulk, let number, _) = action { number } else { nil }
        }
        #expect(Set(loads) == [old, ParkedQueue.numbers(of: ["fcm"])[0]])
    }

    @Test("a channel's number depends on its name, and no two share one")
    func numbers() {
        let names = (0..<500).map { "channel\($0)" }
        let numbers = ParkedQueue.numbers(of: names)
        #expect(Set(numbers).count == 500)
        #expect(numbers.allSatisfy { (1...Queue.largestParking).contains($0) })
        #expect(ParkedQueue.numbers(of: ["x", "channel7"])[1] == numbers[7])
    }

    @Test("what expires while no channel can be used is not kept in the lane either")
    func expiredReady() {
        var settings = DispatchFixture.trusting
        settings.bulkWindow = 40
        settings.bulkFlights = 20...20
        var fixture = DispatchFixture(settings: settings)
        fixture.tell([.pause(ChannelID("apns"), true), .pause(ChannelID("fcm"), true)])
        // As many as may wait for the channel, and for long: what comes after them is not even looked up.
        fixture.accept(DispatchFixture.notification("first", to: users(10), timeout: 86_400), first: 100_000)
        for round in 0..<100 {
            let first = Int64(1 + 20 * round)
            let notification = DispatchFixture.notification(NotificationID("n\(round)"), to: users(20), timeout: 5)
            fixture.accept(notification, first: first)
            let rows = (0..<20).map { fixture.row(first + $0, to: "x", notification) }
            fixture.wait(5_000)
            fixture.tell([.overdue(.success(rows))])
        }
        #expect(fixture.machine.parts.lanes[1].ready.count < 200)
        #expect(fixture.machine.parts.table.count <= 40)
    }

    @Test("lines do not grow with what expires in them")
    func lines() {
        var line = WaitingLine()
        let fixture = DispatchFixture()
        let gate = fixture.machine.parts.gates[0]
        var waiting: [InFlightDelivery] = []
        for number in Int64(0)..<10_000 {
            let row = fixture.row(number, to: "anna", DispatchFixture.notification())
            let delivery = InFlightDelivery(row, lane: .bulk, at: fixture.now)
            delivery.phase = .blocked
            delivery.round.blockedBy = gate
            line.append(delivery)
            waiting.append(delivery)
            guard number >= 10 else { continue }
            waiting.removeFirst().phase = .evicting
            line.lostOne(of: gate)
        }
        #expect(line.count == 10)
        #expect(line.places < 100)
        #expect(line.popFirst(for: gate)?.sequence == 9_990)
    }
}
