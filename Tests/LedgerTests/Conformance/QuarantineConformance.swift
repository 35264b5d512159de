// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

@Suite("Any ledger keeps what is decided about invalid tokens", .timeLimit(.minutes(1)))
struct QuarantineConformance {
    private func token(_ subscription: Int64, of user: RecipientID, at: WallTime = .noon + 10) -> InvalidToken {
        let end = SubscriptionEnd(
            subscription: subscription,
            onlyToken: "token of \(user.text)",
            registeredUntil: .noon
        )
        return InvalidToken(end: end, reason: "410 Unregistered", at: at)
    }

    /// Registers users and returns verdicts on the tokens of all.
    private func subscribe(
        _ users: [RecipientID],
        _ bank: PipelineNumber,
        _ ledger: any Ledger
    ) async throws
        -> [InvalidToken]
    {
        for user in users {
            try await ledger.subscribe(
                .sample(user, in: bank, device: "phone of \(user.text)", token: "token of \(user.text)")
            )
        }
        let numbers = try await ledger.subscriptions(of: users, in: bank).compactMap { $0.first?.sequence }
        return zip(users, numbers).map { token($1, of: $0) }
    }

    @Test("They are counted by channel and reason; what waits to be judged is not", arguments: LedgerKind.allCases)
    func counted(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let tokens = try await subscribe(["anna", "boris", "clara"], bank, ledger)
            let again = InvalidToken(end: tokens[0].end, reason: tokens[0].reason, at: .noon + 20)
            try await ledger.apply(.quarantine([tokens[0], tokens[1], again]), of: "apns", in: bank)
            try await ledger.apply(.hold([tokens[2]]), of: "apns", in: bank)
            let expected = QuarantineSummary(
                channel: "apns",
                reason: "410 Unregistered",
                count: 2,
                first: .noon + 10,
                last: .noon + 20
            )
            #expect(try await ledger.quarantined(bank) == [expected])
            #expect(try await ledger.quarantined(try ledger.pipeline(named: "other")).isEmpty)
            #expect(try await ledger.areSubscribed(["anna", "boris", "clara"], in: bank) == [true, true, true])
        }
    }

    @Test("Released ones stay, confirmed ones end, each channel for itself", arguments: LedgerKind.allCases)
    func decided(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let users = (0..<600).map { RecipientID("user\($0)") }
            let tokens = try await subscribe(users, bank, ledger)
            try await ledger.apply(.quarantine(Array(tokens[..<300])), of: "apns", in: bank)
            try await ledger.apply(.quarantine(Array(tokens[300...])), of: "second", in: bank)
            #expect(try await ledger.apply(.release, of: "apns", in: bank).decided == 300)
            #expect(try await ledger.apply(.confirm, of: "second", in: bank).ended.count == 300)
            #expect(try await ledger.quarantined(bank).isEmpty)
            #expect(try await ledger.areSubscribed(users, in: bank) == (0..<600).map { $0 < 300 })
            // What an operator confirmed never comes back.
            #expect(try await ledger.apply(.release, of: "second", in: bank).restored == 0)
        }
    }

    @Test("A token registered anew, and one that was sent to since, are not ended", arguments: LedgerKind.allCases)
    func void(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let tokens = try await subscribe(["anna", "boris", "clara"], bank, ledger)
            try await ledger.apply(.quarantine(tokens), of: "apns", in: bank)
            let again = SubscriptionRefresh(
                subscription: tokens[0].end.subscription,
                token: "token of anna",
                registration: nil,
                at: .noon + 50
            )
            #expect(try await ledger.refresh(again) == 0)
            let delivery = try firstDelivery(try await ledger.accept(.sample("n1", in: bank, to: ["boris"])))
            let success = tokens[1].end.subscription
            try await ledger.settle(
                Settlement(delivery: delivery, status: .sent, at: .noon + 60, attempts: 1, successOf: success)
            )
            try await ledger.clearVerdicts([tokens[2].end.subscription])
            #expect(try await ledger.quarantined(bank).isEmpty)
            #expect(try await ledger.apply(.confirm, of: "apns", in: bank).ended.isEmpty)
            #expect(try await ledger.areSubscribed(["anna", "boris", "clara"], in: bank) == [true, true, true])
        }
    }

    @Test("What waited is removed when it is judged, and comes back in doubt", arguments: LedgerKind.allCases)
    func judged(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let users = (0..<700).map { RecipientID("user\($0)") }
            let tokens = try await subscribe(users, bank, ledger)
            let removed = try await ledger.apply(.remove(Array(tokens[..<3])), of: "apns", in: bank)
            #expect(removed.ended.map(\.subscription) == tokens[..<3].map(\.end.subscription))
            #expect(removed.ended.allSatisfy { $0.app == "retail" && $0.reason == "410 Unregistered" })
            try await ledger.apply(.hold(Array(tokens[3..<600])), of: "apns", in: bank)
            #expect(try await ledger.apply(.removeHeld, of: "apns", in: bank).ended.count == 597)
            #expect(try await ledger.areSubscribed(users, in: bank).count { $0 } == 100)
            try await ledger.apply(.hold(Array(tokens[600...])), of: "apns", in: bank)
            #expect(try await ledger.apply(.doubt, of: "apns", in: bank).restored == 600)
            #expect(try await ledger.areSubscribed(users, in: bank).allSatisfy { $0 })
            #expect(try await ledger.quarantined(bank).map(\.count) == [700])
            #expect(
                try await ledger.subscriptions(of: users, in: bank).map { $0.first?.sequence }
                    == tokens.map { $0.end.subscription }
            )
            // An operator may still say that they are dead.
            #expect(try await ledger.apply(.confirm, of: "apns", in: bank).decided == 700)
            #expect(try await ledger.areSubscribed(users, in: bank).count { $0 } == 0)
        }
    }

    @Test(
        "What was removed does not come back to a device that is another's, was deleted, or is gone for a day",
        arguments: LedgerKind.allCases
    )
    func taken(kind: LedgerKind) async throws {
        let clocks = TurnedClocks()
        try await withLedger(kind, clocks: clocks) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let users: [RecipientID] = ["anna", "boris", "clara", "dora", "emil"]
            let tokens = try await subscribe(users, bank, ledger)
            try await ledger.apply(.remove(tokens), of: "apns", in: bank)
            try await ledger.subscribe(.sample("new", in: bank, device: "phone of anna", token: "another"))
            try await ledger.subscribe(.sample("newer", in: bank, device: "another", token: "token of boris"))
            #expect(try await ledger.endAll(of: "clara", in: bank) == 0)
            #expect(try await ledger.apply(.release, of: "other", in: bank).restored == 0)
            #expect(try await ledger.apply(.release, of: "apns", in: bank).restored == 2)
            #expect(try await ledger.areSubscribed(users, in: bank) == [false, false, false, true, true])
            try await ledger.apply(.remove([tokens[3]]), of: "apns", in: bank)
            clocks.pass(86_400_000 + 1_000)
            let late = token(tokens[4].end.subscription, of: "emil", at: .noon + 86_400_000)
            try await ledger.apply(.remove([late]), of: "apns", in: bank)
            #expect(try await ledger.apply(.doubt, of: "apns", in: bank).restored == 1)
            #expect(try await ledger.areSubscribed(["dora", "emil"], in: bank) == [false, true])
            #expect(try await ledger.forgetRemoved(before: .noon + 11) == 1)
            #expect(try await ledger.forgetRemoved(before: .noon + 11) == 0)
        }
    }

    @Test("What a guard knows is there after a restart, with the suspects", arguments: LedgerKind.allCases)
    func guards(kind: LedgerKind) async throws {
        let place = try LedgerPlace(kind)
        let ledger = try place.open()
        let bank = try ledger.pipeline(named: "bank")
        let tokens = try await subscribe(["anna", "boris"], bank, ledger)
        let record = InvalidTokenRecord(
            removals: [.noon, .noon + 5],
            doubtedSince: .noon + 7,
            waitingSince: .noon + 6,
            results: 50,
            verdicts: 30
        )
        try await ledger.apply(.hold([tokens[0]]), of: "apns", in: bank, record)
        try await ledger.apply(.quarantine([tokens[1]]), of: "fcm", in: bank, InvalidTokenRecord(results: 1))
        ledger.close()
        let again = try place.open()
        defer { again.close() }
        let expected = [
            "apns": KnownGuard(record: record, suspects: [tokens[0].end.subscription]),
            "fcm": KnownGuard(record: InvalidTokenRecord(results: 1), suspects: [tokens[1].end.subscription]),
        ]
        #expect(try await again.guards(of: bank) == expected)
        #expect(try await again.guards(of: try again.pipeline(named: "other")).isEmpty)
    }
}
