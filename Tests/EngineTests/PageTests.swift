// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Testing

@testable import Engine

@Suite("What pages of the ledger's queues bring")
struct PageTests {
    private func row(_ number: Int64, _ fixture: DispatchFixture) -> QueuedDelivery {
        QueuedDelivery(
            sequence: number,
            notification: OutgoingNotification(
                notification: DispatchFixture.notification(),
                sequence: number,
                acceptedAt: fixture.now.wall
            ),
            recipient: "anna",
            status: .queued,
            attempts: 0,
            due: .after(0),
            finishedDevices: []
        )
    }

    private var small: DispatchSettings {
        var settings = DispatchFixture.trusting
        settings.bulkWindow = 10
        settings.bulkFlights = 10...10
        return settings
    }

    @Test("a page that ended for its length is followed by the next, until the backlog is done")
    func backlog() {
        var fixture = DispatchFixture(settings: small)
        fixture.devices["anna"] = [DispatchFixture.device(of: "anna", number: 1)]
        let rows = (1...5).map { row($0, fixture) }
        let before = fixture.loads.count
        fixture.tell([.page(.bulk, .success(DuePage(deliveries: rows, nextDue: nil, hasMore: true)))])
        #expect(fixture.attempts.count == 5)
        #expect(fixture.loads.count == before + 1)
        fixture.tell([.page(.bulk, .success(DuePage(deliveries: [], nextDue: nil)))])
        fixture.wait(10_000)
        #expect(fixture.loads.count == before + 1)
    }

    @Test("a page that ended while it was read does not bring back what was delivered meanwhile")
    func stale() {
        var fixture = DispatchFixture(settings: small)
        fixture.accept(DispatchFixture.notification(to: (0..<12).map { RecipientID("user\($0)") }))
        for _ in 0..<5 { fixture.answer(.accepted) }
        #expect(fixture.loads.count == 1)
        let seen = row(6, fixture)
        fixture.answer(.accepted)
        #expect(fixture.machine.parts.table[6] == nil)
        fixture.tell([.page(.bulk, .success(DuePage(deliveries: [seen], nextDue: nil)))])
        #expect(fixture.machine.parts.table[6] == nil)
    }

    @Test("pages that show nothing new are not asked for over and over")
    func nothingNew() {
        var fixture = DispatchFixture(settings: small)
        let before = fixture.loads.count
        fixture.tell([.page(.bulk, .success(DuePage(deliveries: [], nextDue: nil, hasMore: true)))])
        #expect(fixture.loads.count == before)
        fixture.wait(1_000)
        #expect(fixture.loads.count == before + 1)
    }

    @Test("what is new goes behind what had no room, whenever it comes: first attempts keep their order")
    func order() {
        var fixture = DispatchFixture(settings: small)
        fixture.devices["anna"] = [DispatchFixture.device(of: "anna", number: 1)]
        func accept(_ numbers: ClosedRange<Int64>) {
            for number in numbers {
                fixture.accept(DispatchFixture.notification(NotificationID("n\(number)"), to: ["anna"]), first: number)
            }
        }
        var tried: [Int64] = []
        func answerAll() {
            while !fixture.attempts.isEmpty {
                tried.append(fixture.attempts[0].sequence)
                fixture.answer(.accepted)
            }
        }
        accept(1...12)
        answerAll()
        #expect(tried == Array(1...10))
        #expect(fixture.loads.count == 1)
        // Accepted while the page is read that holds the older ones, and after it was asked for again.
        accept(13...14)
        answerAll()
        let page = (11...13).map { row($0, fixture) }
        fixture.tell([.page(.bulk, .success(DuePage(deliveries: page, nextDue: nil)))])
        answerAll()
        accept(15...16)
        answerAll()
        #expect(tried == Array(1...16))
        #expect(fixture.loads.count == 1)
        #expect(fixture.settled.count { $0.status == .sent } == 16)
    }

    @Test("what ended while the page before it was read is not begun")
    func endedMeanwhile() {
        var fixture = DispatchFixture(settings: small)
        for number in 1...13 as ClosedRange<Int64> {
            fixture.accept(DispatchFixture.notification(NotificationID("n\(number)"), to: ["anna"]), first: number)
        }
        #expect(fixture.machine.parts.table[13] == nil)
        fixture.devices["anna"] = [DispatchFixture.device(of: "anna", number: 1)]
        while !fixture.attempts.isEmpty { fixture.answer(.accepted) }
        fixture.accept(DispatchFixture.notification("n14", to: ["anna"]), first: 14)
        let notification = OutgoingNotification(
            notification: DispatchFixture.notification("n14", to: ["anna"]),
            sequence: 14,
            acceptedAt: .epoch
        )
        let expired = QueuedDelivery(
            sequence: 14,
            notification: notification,
            recipient: "anna",
            status: .queued,
            attempts: 0,
            due: .after(0),
            finishedDevices: []
        )
        fixture.tell([.overdue(.success([expired]))])
        #expect(fixture.settled.last?.status == .expired)
        let count = fixture.settled.count
        fixture.tell([.page(.bulk, .success(DuePage(deliveries: [], nextDue: nil)))])
        #expect(!fixture.attempts.contains { $0.sequence == 14 })
        #expect(fixture.settled.count == count)
    }

    @Test("what is accepted before the first page is read does not overtake what the ledger holds from before")
    func start() {
        let machine = Dispatch(
            identity: LedgerIdentity(high: 1, low: 2),
            settings: small,
            channels: [ChannelSetup(label: "apns", reach: .devices([.ios]), condition: nil)],
            topics: [:],
            metrics: DeliveryMetrics(pipeline: "test", channels: ["apns"]),
            isObserved: false
        )
        let notification = OutgoingNotification(
            notification: DispatchFixture.notification(),
            sequence: 9,
            acceptedAt: .after(1_000)
        )
        let new = Dispatch.Event.accepted(notification, [(9, "anna")], fallback: nil)
        #expect(!machine.handle([new], at: .after(1_000)).contains { if case .lookUp = $0 { true } else { false } })
        let fixture = DispatchFixture()
        let page = DuePage(deliveries: [row(1, fixture)], nextDue: nil)
        _ = machine.handle([], at: .after(1_001))
        let actions = machine.handle([.page(.bulk, .success(page))], at: .after(1_002))
        let lookedUp = actions.compactMap { if case .lookUp(_, _, let recipients) = $0 { recipients } else { nil } }
        #expect(lookedUp.flatMap { $0 }.first == "anna")
    }
}
