// SPDX-License-Identifier: Apache-2.0

import ClockTesting
import Engine
import LedgerTesting
import Testing

@Suite("Any ledger counts what nobody should do often", .timeLimit(.minutes(1)))
struct CountConformance {
    private static let window: Int64 = 600_000
    private static let twice = Allowance(limit: 2, window: window)

    private static func use(_ ledger: any Ledger, _ key: String) async throws -> CountVerdict {
        try await ledger.answer { ledger.count(HashedKey(Array(key.utf8)), twice, completion: $0) }
    }

    @Test(
        "A key may be used as often as its allowance says, and others are not concerned",
        arguments: LedgerKind.allCases
    )
    func limited(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let first = try await Self.use(ledger, "anna")
            #expect(first == .counted)
            #expect(try await Self.use(ledger, "anna") == .counted)
            #expect(try await Self.use(ledger, "anna") == .exceeded(retryAfter: Self.window))
            #expect(try await Self.use(ledger, "boris") == .counted)
        }
    }

    @Test("A use that was taken back does not count", arguments: LedgerKind.allCases)
    func takenBack(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            for _ in 0..<5 {
                #expect(try await Self.use(ledger, "anna") == .counted)
                try await ledger.answer { ledger.uncount(HashedKey(Array("anna".utf8)), completion: $0) }
            }
            try await ledger.answer { ledger.uncount(HashedKey(Array("nobody".utf8)), completion: $0) }
        }
    }

    @Test("Counts survive a restart, and end with their windows", arguments: LedgerKind.allCases)
    func restarted(kind: LedgerKind) async throws {
        let place = try LedgerPlace(kind)
        for _ in 0..<2 {
            let ledger = try place.open()
            #expect(try await Self.use(ledger, "anna") == .counted)
            ledger.close()
        }
        let ledger = try place.open()
        defer { ledger.close() }
        #expect(try await Self.use(ledger, "anna") == .exceeded(retryAfter: Self.window))
        place.clocks.pass(Self.window)
        #expect(try await Self.use(ledger, "anna") == .exceeded(retryAfter: Self.window))
        place.clocks.pass(Self.window)
        #expect(try await Self.use(ledger, "anna") == .counted)
    }

    @Test("A tally counts a use for one window at least and for two at most")
    func tally() {
        let tenth = Self.window / 10
        for (first, wait) in (Int64(0)...10).flatMap({ first in (Int64(0)...30).map { (first * tenth, $0 * tenth) } }) {
            var tally = Tally(began: .noon)
            let verdicts = (0..<2).map { _ in tally.count(Self.twice, at: DueTime.noon + first) }
            #expect(verdicts == [.counted, .counted])
            let verdict = tally.count(Self.twice, at: DueTime.noon + first + wait)
            if wait < Self.window { #expect(verdict != .counted) }
            if wait >= 2 * Self.window { #expect(verdict == .counted) }
        }
    }
}
