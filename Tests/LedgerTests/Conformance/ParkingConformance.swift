// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

@Suite("Any ledger parks deliveries", .timeLimit(.minutes(1)))
struct ParkingConformance {
    @Test("they leave their queue, are counted, expire all the same, and come back", arguments: LedgerKind.allCases)
    func parked(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let other = try ledger.pipeline(named: "other")
            let accepted = try await ledger.accept(.sample("n1", in: bank, to: ["anna", "boris"], timeout: 60))
            let first = try firstDelivery(accepted)
            let parking = Queue(pipeline: bank, lane: .bulk, parking: Queue.largestParking)
            let park = Settlement(
                delivery: first,
                status: .queued,
                at: .noon,
                nextAttempt: .noon,
                attempts: 1,
                parking: parking.parking
            )
            try await ledger.settle(park)
            #expect(try await ledger.due(.bulk(bank), now: .noon).map(\.recipient) == ["boris"])
            #expect(try await ledger.due(parking, now: .noon).map(\.recipient) == ["anna"])
            let depth = try await ledger.depth(bank)
            #expect(depth == [.urgent(bank): 0, .bulk(bank): 1, parking: 1])
            #expect(try await ledger.depth(other) == [.urgent(other): 0, .bulk(other): 0])
            #expect(try await ledger.expired(bank, now: .noon + 60_000).map(\.recipient) == ["anna", "boris"])
            var later = park
            later.parking = nil
            try await ledger.settle(later)
            #expect(try await ledger.due(parking, now: .noon).count == 1)
            later.parking = 0
            try await ledger.settle(later)
            #expect(try await ledger.due(parking, now: .noon).isEmpty)
            #expect(try await ledger.due(.bulk(bank), now: .noon).map(\.recipient) == ["anna", "boris"])
        }
    }

    @Test("a page says whether it ended for its length", arguments: LedgerKind.allCases)
    func length(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            _ = try await ledger.accept(.sample("n1", in: bank, to: ["anna", "boris"]))
            #expect(try await ledger.page(.bulk(bank), now: .noon, limit: 2).hasMore)
            #expect(try await ledger.page(.bulk(bank), now: .noon, limit: 3).hasMore == false)
        }
    }

    @Test("a queue's number names it")
    func keys() throws {
        let queue = Queue(pipeline: PipelineNumber(rawValue: .max), lane: .bulk, parking: Queue.largestParking)
        #expect(Queue(key: queue.key) == queue)
        #expect(Queue(pipeline: PipelineNumber(rawValue: 3), lane: .bulk).key == 0x301)
    }
}
