// SPDX-License-Identifier: Apache-2.0

import Bus
import CFaultVFS
import ClockTesting
import Engine
import LedgerTesting
import SQLiteStore
import Testing

// Within the suite that has the VFS, which has one plan for the process.
extension FaultTests {
    @Test("Looking after passing time costs no write and no sync where there is nothing to do")
    func idle() async throws {
        let place = try LedgerPlace(.sqlite)
        let ledger = try SQLiteLedger(path: place.path, vfs: "busd-fault")
        defer { ledger.close() }
        let bank = try ledger.pipeline(named: "bank")
        busd_fault_plan(BUSD_FAULT_NONE, 0)
        for _ in 0..<5 {
            #expect(try await ledger.conclude(bank, now: .noon) == 0)
            _ = try await ledger.accept(.sample("known", in: bank))
        }
        let afterFirst = busd_fault_operations()
        for _ in 0..<5 {
            #expect(try await ledger.conclude(bank, now: .noon) == 0)
            #expect(try await ledger.accept(.sample("known", in: bank)) == .duplicate)
        }
        #expect(busd_fault_operations() == afterFirst)
    }
}
