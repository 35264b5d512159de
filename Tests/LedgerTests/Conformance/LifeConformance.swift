// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

@Suite("Any ledger survives being closed", .timeLimit(.minutes(1)))
struct LifeConformance {
    @Test("What was kept is there after closing and opening", arguments: LedgerKind.allCases)
    func reopened(kind: LedgerKind) async throws {
        let place = try LedgerPlace(kind)
        let first = try place.open()
        let bank = try first.pipeline(named: "bank")
        let delivery = try firstDelivery(try await first.accept(.sample("n1", in: bank, to: ["1", "2"])))
        try await first.settle(Settlement(delivery: delivery, status: .sent, at: .noon, attempts: 1))
        try await first.subscribe(.sample("anna", in: bank))
        let identity = first.identity
        first.close()

        let second = try place.open()
        defer { second.close() }
        #expect(second.identity == identity)
        #expect(try second.pipeline(named: "bank") == bank)
        #expect(try second.pipeline(named: "other") != bank)
        try await second.reclaimAll(bank)
        #expect(try await second.statuses(of: "n1", in: bank)?.map(\.status) == [.sent, .queued])
        #expect(try await second.due(.bulk(bank), now: .noon).map(\.recipient) == ["2"])
        #expect(try await second.areSubscribed(["anna"], in: bank) == [true])
        #expect(try await second.accept(.sample("n1", in: bank)) == .duplicate)
        let next = try firstDelivery(try await second.accept(.sample("n2", in: bank)))
        #expect(next == delivery + 2)
    }

    @Test("Two ledgers have identities of their own", arguments: LedgerKind.allCases)
    func identities(kind: LedgerKind) async throws {
        let one = try await withLedger(kind) { $0.identity }
        let two = try await withLedger(kind) { $0.identity }
        #expect(one != two)
    }

    @Test("A closed ledger says so, and closing it twice is harmless", arguments: LedgerKind.allCases)
    func closed(kind: LedgerKind) async throws {
        let ledger = try LedgerPlace(kind).open()
        let bank = try ledger.pipeline(named: "bank")
        ledger.close()
        ledger.close()
        await #expect(throws: LedgerError.closed) { try await ledger.accept(.sample("n1", in: bank)) }
        await #expect(throws: LedgerError.closed) { try await ledger.depth(bank) }
        await #expect(throws: LedgerError.closed) { try await ledger.areSubscribed(["anna"], in: bank) }
    }

    @Test("All that was taken before closing is answered", arguments: LedgerKind.allCases)
    func drained(kind: LedgerKind) async throws {
        let place = try LedgerPlace(kind)
        let ledger = try place.open()
        let bank = try ledger.pipeline(named: "bank")
        let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<500 {
                group.addTask { (try? await ledger.accept(.sample(NotificationID("n\(number)"), in: bank))) != nil }
            }
            group.addTask {
                ledger.close()
                return false
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        let again = try place.open()
        defer { again.close() }
        #expect(try await again.depth(bank)[.bulk(bank)] == accepted)
    }
}
