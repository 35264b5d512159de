// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

/// Waits that are stored do not depend on the clock that people set.
@Suite("A ledger's schedule", .timeLimit(.minutes(1)))
struct ScheduleConformance {
    /// How far clocks are turned: more than any wait of the bus.
    static let steps: [Int64] = [-70 * 60_000, 70 * 60_000]

    @Test("goes on when the wall clock is set", arguments: LedgerKind.allCases, steps)
    func runs(kind: LedgerKind, step: Int64) async throws {
        let clocks = TurnedClocks()
        try await withLedger(kind, clocks: clocks) { ledger in
            let before = ledger.schedule.read()
            clocks.setWall(.noon + step)
            clocks.pass(5_000)
            let after = ledger.schedule.read()
            #expect(after.due == before.due + 5_000)
            #expect(after.wall == .noon + step + 5_000)
            #expect(after.wall(at: after.monotonic(at: after.due + 300)) == after.wall + 300)
        }
    }

    @Test("never goes back, whatever the wall clock said meanwhile", arguments: LedgerKind.allCases, steps)
    func restart(kind: LedgerKind, step: Int64) async throws {
        let clocks = TurnedClocks()
        let place = try LedgerPlace(kind, clocks: clocks)
        let ledger = try place.open()
        let bank = try ledger.pipeline(named: "bank")
        let first = try firstDelivery(try await ledger.accept(.sample("n1", in: bank)))
        let retry = ledger.schedule.read().due + 300_000
        try await ledger.settle(
            Settlement(delivery: first, status: .queued, at: .noon, nextAttempt: retry, attempts: 1)
        )
        ledger.close()
        clocks.setWall(.noon + step)
        let again = try place.open()
        defer { again.close() }
        try await again.reclaimAll(bank)
        let now = again.schedule.read().due
        #expect(now == .noon + max(0, step))
        #expect(try await again.due(.bulk(bank), now: now + 300_000).map(\.sequence) == [first])
    }

    @Test("tells at once of what was settled before the wall clock was set", arguments: LedgerKind.allCases, steps)
    func settledBefore(kind: LedgerKind, step: Int64) async throws {
        let clocks = TurnedClocks()
        try await withLedger(kind, clocks: clocks) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let link = try #require(
                try ledger.declare([LinkDeclaration(label: "soap", events: [.failed])], in: bank).first
            )
            let first = try firstDelivery(try await ledger.accept(.sample("n1", in: bank)))
            let end = Settlement(delivery: first, status: .sendingFailed, at: .noon, attempts: 1)
            clocks.setWall(.noon + step)
            try await ledger.settle(end)
            let due = try await ledger.dueCallbacks(link, now: ledger.schedule.read().due)
            #expect(due.calls.map(\.kind) == [.failed])
        }
    }

    @Test("wakes what a bank is to hear by the same clock", arguments: LedgerKind.allCases, steps)
    func callbacks(kind: LedgerKind, step: Int64) async throws {
        let clocks = TurnedClocks()
        try await withLedger(kind, clocks: clocks) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let link = try #require(
                try ledger.declare([LinkDeclaration(label: "soap", events: [.failed])], in: bank).first
            )
            let first = try firstDelivery(try await ledger.accept(.sample("n1", in: bank)))
            clocks.setWall(.noon + step)
            let end = Settlement(delivery: first, status: .sendingFailed, at: .noon + step, attempts: 1)
            try await ledger.settle(end)
            let due = try await ledger.dueCallbacks(link, now: ledger.schedule.read().due)
            #expect(due.calls.map(\.since) == [.noon])
            #expect(due.calls.map(\.at) == [.noon + step])
        }
    }

    @Test("brings forward what a clock that was wrong put off too long, once", arguments: LedgerKind.allCases)
    func capped(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let link = try #require(
                try ledger.declare([LinkDeclaration(label: "soap", events: [.failed])], in: bank).first
            )
            let firsts = [
                try firstDelivery(try await ledger.accept(.sample("n1", in: bank))),
                try firstDelivery(try await ledger.accept(.sample("n2", in: bank, priority: 9))),
                try firstDelivery(try await ledger.accept(.sample("n3", in: bank))),
            ]
            for (index, first) in firsts.enumerated() {
                let wait: Int64 = index == 2 ? 1_000 : 70 * 60_000
                try await ledger.settle(
                    Settlement(delivery: first, status: .queued, at: .noon, nextAttempt: .noon + wait, attempts: 1)
                )
            }
            let failed = try firstDelivery(try await ledger.accept(.sample("n4", in: bank)))
            try await ledger.settle(Settlement(delivery: failed, status: .sendingFailed, at: .noon, attempts: 1))
            let call = try #require(try await ledger.dueCallbacks(link, now: .noon).calls.first)
            try await ledger.settle(call, .later(due: .noon + 70 * 60_000, attempts: 1))
            try await ledger.answer { ledger.capWaits(bank, at: .noon + 5_000, completion: $0) } as Void
            #expect(try await ledger.due(.bulk(bank), now: .noon + 999).isEmpty)
            #expect(try await ledger.due(.bulk(bank), now: .noon + 5_000).map(\.sequence) == [firsts[2], firsts[0]])
            #expect(try await ledger.due(.urgent(bank), now: .noon + 5_000).map(\.sequence) == [firsts[1]])
            #expect(try await ledger.dueCallbacks(link, now: .noon + 4_999).calls.isEmpty)
            #expect(try await ledger.dueCallbacks(link, now: .noon + 5_000).calls.count == 1)
        }
    }
}
