// SPDX-License-Identifier: Apache-2.0

import Bus
import CFaultVFS
import ClockTesting
import Engine
import LedgerTesting
import SQLiteStore
import Testing

/// The disk fails at every single operation of a workload, and the process dies there; what was promised is kept.
///
/// Serialised: the VFS has one plan for the process.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct FaultTests {
    init() { busd_fault_register() }

    @Test(
        "Whatever operation fails, what was answered OK is there and nothing is there by half",
        arguments: [BUSD_FAULT_IO_ERROR_ONCE, BUSD_FAULT_FULL_ONCE, BUSD_FAULT_DEAD]
    )
    func everyOperation(kind: busd_fault_kind) async throws {
        try await Workload.failEverywhere(.sqlite, FaultyFile(kind))
    }

    @Test("A ledger goes on when its disk does")
    func recovers() async throws {
        let place = try LedgerPlace(.sqlite)
        let ledger = try SQLiteLedger(path: place.path, vfs: "busd-fault")
        defer { ledger.close() }
        let bank = try ledger.pipeline(named: "bank")
        busd_fault_plan(BUSD_FAULT_DEAD, 1)
        for _ in 0..<3 {
            let error = await #expect(throws: LedgerError.self) { try await ledger.accept(.sample("n1", in: bank)) }
            guard case .failed = error else { throw NotAccepted() }
        }
        busd_fault_plan(BUSD_FAULT_NONE, 0)
        _ = try firstDelivery(try await ledger.accept(.sample("n1", in: bank)))
        #expect(try await ledger.depth(bank)[.bulk(bank)] == 1)
    }
}

/// Files whose operations fail in one way.
private struct FaultyFile: FaultyDisk {
    let kind: busd_fault_kind
    init(_ kind: busd_fault_kind) { self.kind = kind }

    func open(_ place: LedgerPlace) throws -> any Ledger { try SQLiteLedger(path: place.path, vfs: "busd-fault") }
    func fail(_ place: LedgerPlace, at operation: Int) { busd_fault_plan(kind, operation) }
    func mend(_ place: LedgerPlace) { busd_fault_plan(BUSD_FAULT_NONE, 0) }
    func operations(_ place: LedgerPlace) -> Int { busd_fault_operations() }
    func isWhole(_ place: LedgerPlace) throws -> Bool { try place.integrity() == "ok" }
}
