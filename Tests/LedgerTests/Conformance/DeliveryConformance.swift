// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

@Suite("Any ledger keeps what waits", .timeLimit(.minutes(1)))
struct DeliveryConformance {
    @Test("A page goes by priority, due time and number, lane by lane", arguments: LedgerKind.allCases)
    func order(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let other = try ledger.pipeline(named: "other")
            _ = try await ledger.accept(.sample("late", in: bank, to: ["1"], at: .noon + 2))
            _ = try await ledger.accept(.sample("early", in: bank, to: ["2", "3"], at: .noon + 1))
            _ = try await ledger.accept(.sample("high", in: bank, to: ["4"], priority: 7, at: .noon + 3))
            _ = try await ledger.accept(.sample("low", in: bank, to: ["5"], priority: 0))
            _ = try await ledger.accept(.sample("urgent", in: bank, to: ["6"], priority: 10))
            _ = try await ledger.accept(.sample("pin", in: bank, to: ["7"], type: .pinCode))
            _ = try await ledger.accept(.sample("future", in: bank, to: ["8"], priority: 7, at: .noon + 100))
            _ = try await ledger.accept(.sample("other", in: other, to: ["9"]))
            let bulk = try await ledger.page(.bulk(bank), now: .noon + 10)
            #expect(bulk.deliveries.map(\.recipient) == ["4", "2", "3", "1", "5"])
            #expect(bulk.nextDue == .noon + 100)
            #expect(bulk.deliveries[1].notification === bulk.deliveries[2].notification)
            #expect(try await ledger.due(.bulk(bank), now: .noon + 10, limit: 2).map(\.recipient) == ["4", "2"])
            let urgent = try await ledger.page(.urgent(bank), now: .noon + 10)
            #expect(urgent.deliveries.map(\.recipient) == ["6", "7"])
            #expect(urgent.nextDue == nil)
            #expect(try await ledger.depth(bank) == [.urgent(bank): 2, .bulk(bank): 6])
        }
    }

    @Test("A page holds what its reader needs", arguments: LedgerKind.allCases)
    func content(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let acceptance = Acceptance.sample("n1", in: bank)
            guard case .accepted(let notification, let first, _) = try await ledger.accept(acceptance) else {
                throw NotAccepted()
            }
            try await ledger.settle(
                Settlement(
                    delivery: first,
                    status: .sent,
                    at: .noon + 1,
                    nextAttempt: .noon + 5,
                    attempts: 2,
                    finishedDevices: [9, 7]
                )
            )
            #expect(try await ledger.due(.bulk(bank), now: .noon + 4).isEmpty)
            let delivery = try #require(try await ledger.due(.bulk(bank), now: .noon + 5).first)
            #expect(delivery.sequence == first)
            #expect(delivery.notification.sequence == notification)
            #expect(delivery.notification.notification == acceptance.notification)
            #expect(delivery.notification.acceptedAt == .noon)
            #expect(delivery.status == .sent)
            #expect(delivery.attempts == 2)
            #expect(delivery.due == .noon + 5)
            #expect(delivery.finishedDevices == [7, 9])
        }
    }

    @Test(
        "A status never goes back, and what a phone had wins",
        arguments: LedgerKind.allCases,
        [
            ([.sent, .delivered, .read], .read),
            ([.read, .delivered], .read),
            ([.delivered, .sent], .delivered),
            ([.sent, .sendingFailed], .sent),
            ([.read, .expired], .read),
            ([.expired, .sendingFailed], .expired),
            ([.sendingFailed, .expired], .sendingFailed),
            ([.invalidSubscription, .expired], .invalidSubscription),
            ([.expired, .sent], .sent),
            ([.sendingFailed, .delivered], .delivered),
            ([.invalidSubscription, .read], .read),
            ([.expired, .queued], .expired),
        ] as [([DeliveryStatus], DeliveryStatus)]
    )
    func monotone(kind: LedgerKind, steps: ([DeliveryStatus], DeliveryStatus)) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let first = try firstDelivery(try await ledger.accept(.sample("n1", in: bank)))
            for status in steps.0 {
                try await ledger.settle(Settlement(delivery: first, status: status, at: .noon, attempts: 1))
            }
            #expect(try await ledger.statuses(of: "n1", in: bank) == [RecipientStatus("anna", steps.1)])
        }
    }

    @Test("A closed delivery is not opened again", arguments: LedgerKind.allCases)
    func closed(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let first = try firstDelivery(try await ledger.accept(.sample("n1", in: bank)))
            try await ledger.settle(Settlement(delivery: first, status: .expired, at: .noon, attempts: 1))
            let again = Settlement(delivery: first, status: .queued, at: .noon, nextAttempt: .noon, attempts: 2)
            let unknown = Settlement(delivery: first + 1_000, status: .sent, at: .noon, attempts: 2)
            try await ledger.settle(again, unknown)
            #expect(try await ledger.due(.bulk(bank), now: .noon + 10).isEmpty)
            #expect(try await ledger.depth(bank)[.bulk(bank)] == 0)
            #expect(try await ledger.statuses(of: "n1", in: bank)?.map(\.status) == [.expired])
        }
    }

    @Test("A long list of settlements is written in its order", arguments: LedgerKind.allCases)
    func longList(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let users = (0..<1_000).map { RecipientID("user\($0)") }
            let first = try firstDelivery(try await ledger.accept(.sample("n1", in: bank, to: users)))
            var list: [Settlement] = []
            for round in 1...20 {
                for delivery in first..<first + 1_000 {
                    let next: DueTime? = round == 20 ? nil : .noon + Int64(round)
                    list.append(
                        Settlement(
                            delivery: delivery,
                            status: round == 20 ? .sent : .queued,
                            at: .noon,
                            nextAttempt: next,
                            attempts: round
                        )
                    )
                }
            }
            let held = try await ledger.answer { ledger.settle(list, completion: $0) }
            #expect(held.count == list.count && held.allSatisfy { $0 })
            #expect(try await ledger.depth(bank)[.bulk(bank)] == 0)
            let statuses = try #require(try await ledger.statuses(of: "n1", in: bank))
            #expect(statuses.allSatisfy { $0.status == .sent })
        }
    }
}
