// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

@Suite("Any ledger forgets what was kept long enough", .timeLimit(.minutes(1)))
struct RetentionConformance {
    /// Asks for pieces until nothing older is left; returns how many it took.
    private static func forget(_ ledger: any Ledger, before: WallTime, limit: Int = 100) async throws -> Int {
        var place = RetentionPlace()
        var pieces = 1
        while let next = try await ledger.forget(before: before, from: place, limit: limit) {
            place = next
            pieces += 1
        }
        return pieces
    }

    private static func kept(
        _ ledger: any Ledger,
        _ ids: [NotificationID],
        _ bank: PipelineNumber
    ) async throws -> [Bool] {
        var kept: [Bool] = []
        for id in ids { kept.append(try await ledger.statuses(of: id, in: bank) != nil) }
        return kept
    }

    private static func settle(_ ledger: any Ledger, _ first: Int64, _ status: DeliveryStatus = .sent) async throws {
        try await ledger.settle(Settlement(delivery: first, status: status, at: .noon, attempts: 1))
    }

    @Test("Finished and old enough goes, anything else stays, and the last one of all", arguments: LedgerKind.allCases)
    func what(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let link = LinkDeclaration(label: "soap_bank", events: [.opened], reportsUnconfirmed: false)
            let number = try #require(try ledger.declare([link], in: bank).first)
            try await ledger.subscribe(.sample("anna", in: bank, subscriber: "s"))
            let subscription = try #require(try await ledger.subscription(named: "s", in: bank)).sequence
            var firsts: [Int64] = []
            for (index, id) in ["done", "open", "untold", "dead", "young", "last"].enumerated() {
                let at: WallTime = .noon + (index < 4 ? Int64(index) : 1_000)
                firsts.append(try firstDelivery(try await ledger.accept(.sample(NotificationID(id), in: bank, at: at))))
            }
            for index in [0, 2, 3, 4, 5] { try await Self.settle(ledger, firsts[index]) }
            for index in [2, 3] {
                _ = try await ledger.receive(
                    NewReceipt(
                        pipeline: bank,
                        delivery: firsts[index],
                        subscription: subscription,
                        event: .opened,
                        at: .noon
                    )
                )
            }
            let page = try await ledger.dueCallbacks(number, now: .noon + 5_000)
            let call = try #require(page.calls.first { $0.notification == "dead" })
            try await ledger.settle(call, .dead(attempts: 3, reason: "no"), at: .noon + 2_000)
            let ids: [NotificationID] = ["done", "open", "untold", "dead", "young", "last"]
            #expect(try await Self.forget(ledger, before: .noon) == 1)
            #expect(try await Self.kept(ledger, ids, bank) == [true, true, true, true, true, true])
            _ = try await Self.forget(ledger, before: .noon + 500)
            #expect(try await Self.kept(ledger, ids, bank) == [false, true, true, true, true, true])
            #expect(try await ledger.accept(.sample("done", in: bank, at: .noon + 3_000)) != .duplicate)
            // A day later the dead letter is old too; what is open or untold stays however long it takes.
            _ = try await Self.forget(ledger, before: .noon + 86_400_000)
            #expect(try await Self.kept(ledger, ids, bank) == [true, true, true, false, false, false])
            #expect(try await ledger.due(.bulk(bank), now: .noon + 9_000).map(\.sequence).first == firsts[1])
            #expect(try await ledger.dueCallbacks(number, now: .noon + 9_000).calls.map(\.notification) == ["untold"])
        }
    }

    @Test(
        "A large one goes in pieces, with all that belongs to it",
        arguments: LedgerKind.allCases,
        [1, 7, 99, 5_000]
    )
    func pieces(kind: LedgerKind, limit: Int) async throws {
        let place = try LedgerPlace(kind)
        let ledger = try place.open()
        defer { ledger.close() }
        let bank = try ledger.pipeline(named: "bank")
        let users = (0..<100).map { RecipientID("user\($0)") }
        try await ledger.subscribe(.sample("user7", in: bank, subscriber: "s"))
        let first = try firstDelivery(try await ledger.accept(.sample("large", in: bank, to: users)))
        _ = try await ledger.accept(.sample("last", in: bank))
        let settlements = (0..<100).map {
            Settlement(delivery: first + Int64($0), status: .sent, at: .noon, attempts: 1)
        }
        _ = try await ledger.answer { ledger.settle(settlements, completion: $0) }
        let receiver = try #require(try await ledger.receiver("s", of: "large", in: bank))
        let delivery = try #require(receiver.delivery)
        let subscription = receiver.subscription.sequence
        _ = try await ledger.receive(
            NewReceipt(pipeline: bank, delivery: delivery, subscription: subscription, event: .delivered, at: .noon)
        )
        if kind == .sqlite { #expect(try place.count("SELECT count(*) FROM bank_order") == 1) }
        let pieces = try await Self.forget(ledger, before: .noon + 1, limit: limit)
        #expect(pieces >= 100 / limit && pieces <= 102 / limit + 2)
        #expect(try await ledger.statuses(of: "large", in: bank) == nil)
        #expect(try await ledger.statuses(of: "last", in: bank)?.count == 1)
        guard kind == .sqlite else { return }
        #expect(try place.count("SELECT count(*) FROM delivery") == 1)
        #expect(try place.count("SELECT count(*) FROM receipt") == 0)
        #expect(try place.count("SELECT count(*) FROM bank_order") == 0)
    }

    @Test("Numbers are never given again", arguments: LedgerKind.allCases)
    func numbers(kind: LedgerKind) async throws {
        let place = try LedgerPlace(kind)
        var ledger = try place.open()
        let bank = try ledger.pipeline(named: "bank")
        var last: Int64 = 0
        for number in 0..<3 {
            last = try firstDelivery(try await ledger.accept(.sample(NotificationID("n\(number)"), in: bank)))
            try await Self.settle(ledger, last)
        }
        _ = try await Self.forget(ledger, before: .distantFuture)
        ledger.close()
        ledger = try place.open()
        defer { ledger.close() }
        #expect(try firstDelivery(try await ledger.accept(.sample("next", in: bank))) == last + 1)
    }
}
