// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite

/// The writer's statements for keys that are used once.
struct OnceWrites {
    /// Rows that go with each that comes.
    private static let lot: Int64 = 4

    private let insert: Statement
    private let forget: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        insert = try Statement("INSERT INTO once (high, low, until) VALUES (?1, ?2, ?3)", on: connection)
        // The oldest rows lie first; of those that are looked at, the ended ones go.
        forget = try Statement(
            "DELETE FROM once WHERE seq < (SELECT min(seq) FROM once) + ?1 AND until < ?2",
            on: connection
        )
    }

    /// Keeps a key, and forgets a few that have ended.
    func keep(_ key: HashedKey, until: DueTime, now: DueTime) throws(SQLiteError) {
        insert.bind(Int64(bitPattern: key.high), at: 1)
        insert.bind(Int64(bitPattern: key.low), at: 2)
        insert.bind(until, at: 3)
        try insert.run()
        forget.bind(Self.lot, at: 1)
        forget.bind(now, at: 2)
        try forget.run()
    }

    /// The keys that have not ended.
    static func read(_ connection: Connection, now: DueTime) throws(SQLiteError) -> OnceIndex {
        var index = OnceIndex()
        let rows = try Statement("SELECT high, low, until FROM once WHERE until >= ?1", on: connection)
        defer { rows.reset() }
        rows.bind(now, at: 1)
        while try rows.step() {
            let key = HashedKey(
                high: UInt64(bitPattern: rows.integer(0)),
                low: UInt64(bitPattern: rows.integer(1))
            )
            index.add(key, until: rows.dueTime(2))
        }
        return index
    }
}
