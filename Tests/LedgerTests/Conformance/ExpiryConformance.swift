// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

@Suite("Any ledger finds what expired", .timeLimit(.minutes(1)))
struct ExpiryConformance {
    private func settle(_ ledger: any Ledger, _ deliveries: [QueuedDelivery]) async throws {
        for delivery in deliveries {
            try await ledger.settle(
                Settlement(delivery: delivery.sequence, status: .expired, at: .noon, attempts: delivery.attempts)
            )
        }
    }

    @Test("Oldest first, and settled ones never again", arguments: LedgerKind.allCases)
    func order(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            _ = try await ledger.accept(.sample("second", in: bank, to: ["2", "3"], timeout: 20))
            _ = try await ledger.accept(.sample("first", in: bank, to: ["1"], timeout: 10))
            _ = try await ledger.accept(.sample("never", in: bank, to: ["4"], timeout: 1_000))
            #expect(try await ledger.expired(bank, now: .noon + 9_999).isEmpty)
            let one = try await ledger.expired(bank, now: .noon + 10_000)
            #expect(one.map(\.recipient) == ["1"])
            try await settle(ledger, one)
            let two = try await ledger.expired(bank, now: .noon + 30_000)
            #expect(two.map(\.recipient) == ["2", "3"])
            try await settle(ledger, two)
            #expect(try await ledger.expired(bank, now: .noon + 30_000).isEmpty)
            #expect(try await ledger.depth(bank)[.bulk(bank)] == 1)
        }
    }

    @Test("What stays open comes again and hides nothing", arguments: LedgerKind.allCases, [1, 2, 3, 7])
    func stillOpen(kind: LedgerKind, limit: Int) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            for number in 0..<5 {
                let users = [RecipientID("a\(number)"), RecipientID("b\(number)")]
                _ = try await ledger.accept(
                    .sample(NotificationID("n\(number)"), in: bank, to: users, timeout: number / 2)
                )
            }
            var seen: Set<RecipientID> = []
            // Those of "a" are in flight: they stay open for a while. Three rounds of at most 11 calls.
            for _ in 0..<33 {
                let page = try await ledger.expired(bank, now: .noon + 60_000, limit: limit)
                #expect(page.count <= limit)
                seen.formUnion(page.map(\.recipient))
                try await settle(ledger, page.filter { $0.recipient.text.hasPrefix("b") })
            }
            #expect(seen.count == 10)
            #expect(try await ledger.depth(bank)[.bulk(bank)] == 5)
            for _ in 0..<33 {
                try await settle(ledger, try await ledger.expired(bank, now: .noon + 60_000, limit: limit))
            }
            #expect(try await ledger.depth(bank)[.bulk(bank)] == 0)
        }
    }

    @Test("What arrives expired after a sweep went by is found", arguments: LedgerKind.allCases)
    func lateArrival(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            _ = try await ledger.accept(.sample("n1", in: bank, to: ["1"], timeout: 500))
            try await settle(ledger, try await ledger.expired(bank, now: .noon + 600_000))
            #expect(try await ledger.expired(bank, now: .noon + 700_000).isEmpty)
            _ = try await ledger.accept(.sample("n2", in: bank, to: ["2"], timeout: 0))
            #expect(try await ledger.expired(bank, now: .noon + 700_000).map(\.recipient) == ["2"])
        }
    }

    @Test("A ledger opened again finds what was open, whatever was swept before", arguments: LedgerKind.allCases)
    func reopened(kind: LedgerKind) async throws {
        let place = try LedgerPlace(kind)
        do {
            let ledger = try place.open()
            defer { ledger.close() }
            let bank = try ledger.pipeline(named: "bank")
            _ = try await ledger.accept(.sample("n1", in: bank, to: ["1"], timeout: 500))
            try await settle(ledger, try await ledger.expired(bank, now: .noon + 600_000))
            #expect(try await ledger.expired(bank, now: .noon + 900_000).isEmpty)
            _ = try await ledger.accept(.sample("n2", in: bank, to: ["2"], timeout: 0))
            _ = try await ledger.accept(.sample("n3", in: bank, to: ["3"], timeout: 899))
            #expect(try await ledger.expired(bank, now: .noon + 900_000).map(\.recipient) == ["2", "3"])
        }
        let ledger = try place.open()
        defer { ledger.close() }
        let bank = try ledger.pipeline(named: "bank")
        try await ledger.reclaimAll(bank)
        #expect(try await ledger.expired(bank, now: .noon + 900_000).map(\.recipient) == ["2", "3"])
    }
}
