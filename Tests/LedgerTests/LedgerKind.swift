// SPDX-License-Identifier: Apache-2.0

import ClockTesting
import Engine
import Foundation
import SQLite
import SQLiteStore
import TestSupport
import Testing

/// The ledgers that must pass the conformance suite.
enum LedgerKind: CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite

    /// Those that keep large notifications in chunks.
    static let withChunks: [LedgerKind] = [.sqlite]

    var testDescription: String {
        switch self {
        case .sqlite: "SQLite"
        }
    }
}

/// A place of its own for a ledger, which can be opened again.
final class LedgerPlace: Sendable {
    let kind: LedgerKind
    /// What its ledgers measure waits by.
    let clocks: TurnedClocks
    private let folder: TemporaryFolder

    init(_ kind: LedgerKind, clocks: TurnedClocks = TurnedClocks()) throws {
        self.kind = kind
        self.clocks = clocks
        folder = try TemporaryFolder()
    }

    var directory: URL { folder.url }
    var path: String { folder.path("busd.db") }

    func open() throws -> any Ledger {
        switch kind {
        case .sqlite: try SQLiteLedger(path: path, clocks: clocks.readings)
        }
    }
}

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
