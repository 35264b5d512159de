// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLiteStore
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
