// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

@Suite("Any ledger knows who works on what", .timeLimit(.minutes(1)))
struct LeaseConformance {
    @Test(
        "Whoever opens it holds a lease until he closes it, and another one each time",
        arguments: LedgerKind.allCases
    )
    func held(kind: LedgerKind) throws {
        let place = try LedgerPlace(kind)
        var leases: Set<Lease> = []
        for _ in 0..<3 {
            let ledger = try place.open()
            #expect(ledger.holdsLease)
            leases.insert(ledger.lease)
            ledger.close()
            #expect(!ledger.holdsLease)
            place.clocks.pass(1)
        }
        #expect(leases.count == 3)
    }

    @Test("Duties of nobody are for the taking, and kept by taking them again", arguments: LedgerKind.allCases)
    func duties(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            for duty in [Duty.retention, .upkeep(bank), .callbacks(LinkNumber(rawValue: 1)), .retention] {
                let isTaken = try await ledger.answer { ledger.take(duty, completion: $0) }
                #expect(isTaken)
            }
        }
    }

    @Test("What a node owns itself is not reclaimed", arguments: LedgerKind.allCases)
    func own(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            try await ledger.subscribe(.sample("anna", in: bank))
            _ = try await ledger.accept(.sample("n1", in: bank))
            let reclaimed = try await ledger.answer { ledger.reclaim(bank, limit: 10, completion: $0) }
            #expect(reclaimed == 0)
        }
    }
}
