// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import LedgerTesting
import SQLiteStore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OverloadTests {
    @Test("Without room a caller hears it at once, and nothing is kept")
    func full() async throws {
        let place = try LedgerPlace(.sqlite)
        var limits = SQLiteLedger.Limits()
        limits.writes = 0
        limits.reads = 0
        let ledger = try SQLiteLedger(path: place.path, limits: limits)
        defer { ledger.close() }
        #expect(throws: LedgerError.overloaded) { try ledger.pipeline(named: "bank") }
        let bank = PipelineNumber(rawValue: 1)
        await #expect(throws: LedgerError.overloaded) { try await ledger.accept(.sample("n1", in: bank)) }
        await #expect(throws: LedgerError.overloaded) { try await ledger.depth(bank) }
    }

    @Test("What is finished makes room, whatever it came to")
    func room() async throws {
        let place = try LedgerPlace(.sqlite)
        var limits = SQLiteLedger.Limits()
        limits.writes = 1
        let ledger = try SQLiteLedger(path: place.path, limits: limits)
        defer { ledger.close() }
        let bank = try ledger.pipeline(named: "bank")
        for _ in 0..<10 {
            _ = try await ledger.accept(.sample("n1", in: bank, to: ["anna", "boris"]))
            try await ledger.subscribe(.sample("anna", in: bank))
        }
    }

    @Test("Large accepts, however many, take no room from anything else, and their own is bounded")
    func largeOnes() async throws {
        let place = try LedgerPlace(.sqlite)
        var limits = SQLiteLedger.Limits()
        limits.writes = 400
        limits.largeWrites = 3_000
        let ledger = try SQLiteLedger(path: place.path, limits: limits)
        defer { ledger.close() }
        let bank = try ledger.pipeline(named: "bank")
        let other = try ledger.pipeline(named: "other")
        // The most that is written as rows: the dearest there is.
        let crowd = (0..<Acceptance.largestInRows).map { RecipientID("u\($0)") }
        let large = (0..<40).map { Acceptance.sample(NotificationID("large\($0)"), in: bank, to: crowd) }
        // What is asked within one turn of this thread, faster than the writer can do it.
        let results = OverloadResults()
        for large in large { ledger.accept(large) { results.note("large", $0) } }
        for number in 0..<100 {
            let id = NotificationID("n\(number)")
            ledger.accept(.sample(id, in: bank)) { results.note("small", $0) }
            ledger.accept(.sample(NotificationID("u\(number)"), in: bank, priority: 9)) {
                results.note("urgent", $0)
            }
            ledger.accept(.sample(id, in: other)) { results.note("other", $0) }
            ledger.subscribe(.sample(RecipientID("s\(number)"), in: bank)) { results.note("call", $0) }
        }
        try await results.wait(for: 440)
        for kind in ["small", "urgent", "other", "call"] { #expect(results.refused(kind) == 0, "\(kind)") }
        #expect(results.refused("large") > 0)
        #expect(results.kept("large") > 0)
    }

    @Test("Of a crowd beyond the bound each is either kept or told so")
    func crowd() async throws {
        let place = try LedgerPlace(.sqlite)
        var limits = SQLiteLedger.Limits()
        limits.writes = 50
        let ledger = try SQLiteLedger(path: place.path, limits: limits)
        defer { ledger.close() }
        let bank = try ledger.pipeline(named: "bank")
        let kept = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<2_000 {
                group.addTask {
                    do {
                        _ = try await ledger.accept(.sample(NotificationID("n\(number)"), in: bank))
                        return true
                    } catch LedgerError.overloaded {
                        return false
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(try await ledger.depth(bank)[.bulk(bank)] == kept)
    }
}

/// What became of a crowd, by kind.
private final class OverloadResults: Sendable {
    private let counts = Mutex<[String: (kept: Int, refused: Int)]>([:])

    func note<Value>(_ kind: String, _ result: Result<Value, LedgerError>) {
        counts.withLock { counts in
            if case .success = result {
                counts[kind, default: (0, 0)].kept += 1
            } else {
                counts[kind, default: (0, 0)].refused += 1
            }
        }
    }

    func kept(_ kind: String) -> Int { counts.withLock { $0[kind]?.kept ?? 0 } }
    func refused(_ kind: String) -> Int { counts.withLock { $0[kind]?.refused ?? 0 } }

    func wait(for total: Int) async throws {
        while counts.withLock({ $0.values.reduce(0) { $0 + $1.kept + $1.refused } }) < total {
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
