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
        #expect(fixture.machine.entries[6] == nil)
        fixture.tell([.page(.bulk, .success(DuePage(deliveries: [seen], nextDue: nil)))])
        #expect(fixture.machine.entries[6] == nil)
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
}
