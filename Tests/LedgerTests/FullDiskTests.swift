// SPDX-License-Identifier: Apache-2.0

import Bus
import CFaultVFS
import Engine
import Foundation
import LedgerTesting
import SQLiteStore
import Testing

// Within the suite that has the VFS, which has one plan for the process.
extension FaultTests {
    @Suite("A disk without room", .timeLimit(.minutes(1)))
    struct FullDiskTests {
        init() { busd_fault_register() }

        @Test("is told as such, counted, and found to have room again although nobody calls")
        func recovers() async throws {
            let place = try LedgerPlace(.sqlite)
            let ledger = try SQLiteLedger(path: place.path, vfs: "busd-fault")
            defer { ledger.close() }
            let bank = try ledger.pipeline(named: "bank")
            #expect(ledger.condition.problem == nil)
            #expect(ledger.condition.bytes > 0)
            #expect(try #require(ledger.condition.freeBytes) > 0)
            busd_fault_plan(BUSD_FAULT_FULL_ONCE, 1)
            let error = await #expect(throws: LedgerError.self) { try await ledger.accept(.sample("n1", in: bank)) }
            guard case .full(let words)? = error else { throw NotAccepted() }
            #expect(words.contains("make room in '\(place.directory.path)'"))
            #expect(ledger.condition.errors == 1)
            #expect(ledger.condition.problem == words)
            let deadline = ContinuousClock.now + .seconds(10)
            while ledger.condition.problem != nil, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(ledger.condition.problem == nil)
            _ = try firstDelivery(try await ledger.accept(.sample("n1", in: bank)))
        }

        @Test("Any other failure to write is one that an operator sees too")
        func otherFailure() async throws {
            let place = try LedgerPlace(.sqlite)
            let ledger = try SQLiteLedger(path: place.path, vfs: "busd-fault")
            defer { ledger.close() }
            let bank = try ledger.pipeline(named: "bank")
            busd_fault_plan(BUSD_FAULT_IO_ERROR_ONCE, 1)
            let error = await #expect(throws: LedgerError.self) { try await ledger.accept(.sample("n1", in: bank)) }
            guard case .failed(let words)? = error else { throw NotAccepted() }
            #expect(ledger.condition.problem == words)
            busd_fault_plan(BUSD_FAULT_NONE, 0)
            _ = try firstDelivery(try await ledger.accept(.sample("n1", in: bank)))
            #expect(ledger.condition.problem == nil)
        }
    }
}
