// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

@Suite("Any ledger ends subscriptions that went silent", .timeLimit(.minutes(1)))
struct UpkeepConformance {
    private static func users(_ ledger: any Ledger, _ bank: PipelineNumber) async throws -> [Bool] {
        try await ledger.areSubscribed(["anna", "boris", "clara", "dora"], in: bank)
    }

    @Test(
        "A registration, a token, an accepted push and a receipt each count as a sign",
        arguments: LedgerKind.allCases
    )
    func signs(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let other = try ledger.pipeline(named: "other")
            try await ledger.keepLastSeen(bank, every: 10)
            for (number, user) in ["anna", "boris", "clara", "dora"].enumerated() {
                let user = RecipientID(user)
                try await ledger.subscribe(.sample(user, in: bank, device: "d\(number)", token: "0\(number)"))
            }
            try await ledger.subscribe(.sample("anna", in: other))
            let found = try await ledger.subscriptions(of: ["boris", "clara", "dora"], in: bank).map { $0[0].sequence }
            let first = try firstDelivery(try await ledger.accept(.sample("n1", in: bank, to: ["clara", "dora"])))
            let refresh = SubscriptionRefresh(subscription: found[0], token: "99", registration: nil, at: .noon + 100)
            #expect(try await ledger.refresh(refresh) != nil)
            let sent = Settlement(
                delivery: first,
                status: .sent,
                at: .noon + 110,
                attempts: 1,
                successOf: found[1]
            )
            try await ledger.settle(sent)
            let receipt = NewReceipt(
                pipeline: bank,
                delivery: first + 1,
                subscription: found[2],
                event: .delivered,
                at: .noon + 120
            )
            #expect(try await ledger.receive(receipt) == .kept)
            #expect(try await ledger.endSilent(bank, before: .noon) == 0)
            #expect(try await ledger.endSilent(bank, before: .noon + 1) == 1)
            #expect(try await Self.users(ledger, bank) == [false, true, true, true])
            #expect(try await ledger.endSilent(bank, before: .noon + 100) == 0)
            #expect(try await ledger.endSilent(bank, before: .noon + 115) == 2)
            #expect(try await Self.users(ledger, bank) == [false, false, false, true])
            #expect(try await ledger.endSilent(bank, before: .noon + 121) == 1)
            #expect(try await ledger.areSubscribed(["anna"], in: other) == [true])
        }
    }

    @Test("Those silent longest end first, so many at a time", arguments: LedgerKind.allCases)
    func pieces(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            for number in 0..<5 {
                let at: WallTime = .noon + Int64(number)
                try await ledger.subscribe(
                    .sample(RecipientID("user\(number)"), in: bank, device: "d\(number)", token: "0\(number)", at: at)
                )
            }
            #expect(try await ledger.endSilent(bank, before: .noon + 4, limit: 3) == 3)
            #expect(try await ledger.areSubscribed(["user2", "user3", "user4"], in: bank) == [false, true, true])
            #expect(try await ledger.endSilent(bank, before: .noon + 4, limit: 3) == 1)
            #expect(try await ledger.endSilent(bank, before: .noon + 4, limit: 3) == 0)
        }
    }
}
