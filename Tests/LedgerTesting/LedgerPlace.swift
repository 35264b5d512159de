// SPDX-License-Identifier: Apache-2.0

public import ClockTesting
public import Engine
public import Foundation
import SQLiteStore
import TestSupport

/// A place of its own for a ledger, which can be opened again.
public final class LedgerPlace: Sendable {
    /// What its ledgers are.
    public let kind: LedgerKind
    /// What its ledgers measure waits by.
    public let clocks: TurnedClocks
    /// What ledgers in memory share.
    public let memory: MemoryStore
    private let folder: TemporaryFolder
    private let readings: ScheduleClock.Readings

    /// Makes a place whose clocks stand still unless a test turns them, or run as the system's.
    ///
    /// On a memory disk, where there is one, thousands of places cost no sync.
    public init(
        _ kind: LedgerKind,
        clocks: TurnedClocks = TurnedClocks(),
        runsBySystemClocks: Bool = false,
        onMemoryDisk: Bool = false
    ) throws {
        self.kind = kind
        self.clocks = clocks
        readings = runsBySystemClocks ? .system : clocks.readings
        memory = MemoryStore(clocks: readings)
        folder = try TemporaryFolder(inMemory: onMemoryDisk)
    }

    /// Where its files are.
    public var directory: URL { folder.url }
    /// The path of its file, where it has one.
    public var path: String { folder.path("busd.db") }

    /// Opens it as a node; where only one can, as that one.
    public func open(node: Int64 = 1) throws -> any Ledger {
        switch kind {
        case .sqlite: try SQLiteLedger(path: path, clocks: readings)
        case .memory: MemoryLedger(memory, node: node)
        }
    }

    /// What the end of the only machine leaves: everything that was committed.
    public func crash(_ ledger: any Ledger) {
        if kind == .memory { memory.crash() }
        ledger.close()
    }

    // MARK: One of several nodes

    /// Ends a node without a word: its lease ends by the clock.
    public func kill(_ node: any Ledger) { (node as? MemoryLedger)?.kill() }

    /// Has a node renew its lease no more, or go on where that has not ended.
    public func sleep(_ node: any Ledger, _ isAsleep: Bool = true) { (node as? MemoryLedger)?.sleep(isAsleep) }

    /// Lets a lease end that is not renewed.
    public func outwait() { clocks.pass(LeaseRule.lasts) }
}

extension Ledger {
    /// Takes over all that a pipeline's former node left, as a bus does when it starts.
    public func reclaimAll(_ pipeline: PipelineNumber) async throws {
        while try await withCheckedThrowingContinuation({ continuation in
            reclaim(pipeline, limit: 100) { continuation.resume(with: $0) }
        }) == 100 {}
    }
}
