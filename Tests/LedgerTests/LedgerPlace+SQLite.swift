// SPDX-License-Identifier: Apache-2.0

import ClockTesting
import Engine
import LedgerTesting
import SQLite

extension LedgerPlace {
    /// What SQLite says of the file as a whole.
    func integrity() throws -> String? { try Connection(path: path, mode: .readOnly).text("PRAGMA integrity_check") }

    /// What a query that counts says of the file.
    func count(_ query: String) throws -> Int64? { try Connection(path: path, mode: .readOnly).integer(query) }
}

/// Runs `body` with a fresh ledger and closes it on both paths.
func withLedger<Value>(
    _ kind: LedgerKind,
    clocks: TurnedClocks = TurnedClocks(),
    _ body: (any Ledger) async throws -> Value
) async throws -> Value {
    let place = try LedgerPlace(kind, clocks: clocks)
    let ledger = try place.open()
    defer { ledger.close() }
    return try await body(ledger)
}
