// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import Testing

@Suite("Any ledger keeps verdicts in quarantine", .timeLimit(.minutes(1)))
struct QuarantineConformance {
    private func verdict(_ subscription: Int64, token: String = "aa", at: WallTime = .noon + 10) -> DeadAddress {
        let end = SubscriptionEnd(subscription: subscription, onlyToken: token, registeredUntil: .noon)
        return DeadAddress(end: end, reason: "410 Unregistered", at: at)
    }

    /// Registers users and returns the numbers of their subscriptions.
    private func subscribe(_ users: [RecipientID], _ bank: PipelineNumber, _ ledger: any Ledger) async throws -> [Int64]
    {
        for user in users {
            try await ledger.subscribe(.sample(user, in: bank, device: "phone of \(user)", token: "token of \(user)"))
        }
        return try await ledger.subscriptions(of: users, in: bank).compactMap { $0.first?.sequence }
    }

    @Test(
        "they are counted by channel and reason, and a newer one takes the older one's place",
        arguments: LedgerKind.allCases
    )
    func counted(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let numbers = try await subscribe(["anna", "boris"], bank, ledger)
            let verdicts = [
                verdict(numbers[0], token: "token of anna"), verdict(numbers[1], token: "token of boris"),
                verdict(numbers[0], token: "token of anna", at: .noon + 20),
            ]
            try await ledger.quarantine(verdicts, by: "apns", in: bank)
            let expected = QuarantineSummary(
                channel: "apns",
                reason: "410 Unregistered",
                count: 2,
                first: .noon + 10,
                last: .noon + 20
            )
            #expect(try await ledger.quarantined(bank) == [expected])
            #expect(try await ledger.quarantined(try ledger.pipeline(named: "other")).isEmpty)
            #expect(try await ledger.areSubscribed(["anna", "boris"], in: bank) == [true, true])
        }
    }

    @Test("released ones stay, confirmed ones end, each channel for itself", arguments: LedgerKind.allCases)
    func decided(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let users = (0..<600).map { RecipientID("user\($0)") }
            let numbers = try await subscribe(users, bank, ledger)
            let verdicts = zip(users, numbers).map { verdict($1, token: "token of \($0.text)") }
            try await ledger.quarantine(Array(verdicts[..<300]), by: "apns", in: bank)
            try await ledger.quarantine(Array(verdicts[300...]), by: "second", in: bank)
            #expect(try await ledger.releaseQuarantine(of: "apns", in: bank) == 300)
            #expect(try await ledger.confirmQuarantine(of: "second", in: bank) == 300)
            #expect(try await ledger.quarantined(bank).isEmpty)
            let left = try await ledger.areSubscribed(users, in: bank)
            #expect(left == (0..<600).map { $0 < 300 })
        }
    }

    @Test("a token registered anew, and one that was sent to since, are not ended", arguments: LedgerKind.allCases)
    func void(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let numbers = try await subscribe(["anna", "boris"], bank, ledger)
            let verdicts = [verdict(numbers[0], token: "token of anna"), verdict(numbers[1], token: "token of boris")]
            try await ledger.quarantine(verdicts, by: "apns", in: bank)
            let again = SubscriptionRefresh(
                subscription: numbers[0],
                token: "token of anna",
                registration: nil,
                at: .noon + 50
            )
            #expect(try await ledger.refresh(again))
            let accepted = try await ledger.accept(.sample("n1", in: bank, to: ["boris"]))
            let delivery = try firstDelivery(accepted)
            try await ledger.settle(
                Settlement(delivery: delivery, status: .sent, at: .noon + 60, attempts: 1, successOf: numbers[1])
            )
            #expect(try await ledger.quarantined(bank).isEmpty)
            #expect(try await ledger.confirmQuarantine(of: "apns", in: bank) == 0)
            #expect(try await ledger.areSubscribed(["anna", "boris"], in: bank) == [true, true])
        }
    }
}
