// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite

/// The writer's statements for keys whose uses are counted.
struct TallyWrites {
    /// The most keys: whoever drives more of them at once has the ones forgotten that end first.
    static let most: Int64 = 65_536
    /// Rows that go with each that comes: more than come, few enough that nobody notices.
    private static let lot: Int64 = 4

    private let find: Statement
    private let put: Statement
    private let forgetEnded: Statement
    private let forgetFirst: Statement
    private let count: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        find = try prepare("SELECT began, newer, older, until FROM tally WHERE high = ?1 AND low = ?2")
        put = try prepare(
            "INSERT OR REPLACE INTO tally (high, low, began, newer, older, until) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        )
        let first = "DELETE FROM tally WHERE (high, low) IN (SELECT high, low FROM tally"
        forgetEnded = try prepare("\(first) WHERE until <= ?1 ORDER BY until LIMIT ?2)")
        forgetFirst = try prepare("\(first) ORDER BY until LIMIT ?1)")
        // The index is small beside the table, and read whole only where a key is new.
        count = try prepare("SELECT count(*) FROM tally")
    }

    /// Counts a use, where the allowance has one left.
    func count(_ key: HashedKey, _ allowance: Allowance, at now: DueTime) throws(SQLiteError) -> CountVerdict {
        try forget(ended: now)
        let known = try row(of: key)
        var tally = known?.tally ?? Tally(began: now)
        let verdict = tally.count(allowance, at: now)
        guard verdict == .counted else { return verdict }
        if known == nil { try makeRoom() }
        try write(tally, of: key, until: tally.end(allowance.window))
        return verdict
    }

    /// Takes a use back.
    func uncount(_ key: HashedKey) throws(SQLiteError) {
        guard var known = try row(of: key) else { return }
        known.tally.uncount()
        try write(known.tally, of: key, until: known.until)
    }

    private func row(of key: HashedKey) throws(SQLiteError) -> (tally: Tally, until: DueTime)? {
        bind(key, find)
        defer { find.reset() }
        guard try find.step() else { return nil }
        let tally = Tally(began: find.dueTime(0), newer: Int(find.integer(1)), older: Int(find.integer(2)))
        return (tally, find.dueTime(3))
    }

    private func write(_ tally: Tally, of key: HashedKey, until: DueTime) throws(SQLiteError) {
        bind(key, put)
        put.bind(tally.began, at: 3)
        put.bind(Int64(tally.newer), at: 4)
        put.bind(Int64(tally.older), at: 5)
        put.bind(until, at: 6)
        try put.run()
    }

    private func forget(ended now: DueTime) throws(SQLiteError) {
        forgetEnded.bind(now, at: 1)
        forgetEnded.bind(Self.lot, at: 2)
        try forgetEnded.run()
    }

    private func makeRoom() throws(SQLiteError) {
        defer { count.reset() }
        guard try count.step(), count.integer(0) >= Self.most else { return }
        forgetFirst.bind(Self.lot, at: 1)
        try forgetFirst.run()
    }

    private func bind(_ key: HashedKey, _ statement: Statement) {
        statement.bind(Int64(bitPattern: key.high), at: 1)
        statement.bind(Int64(bitPattern: key.low), at: 2)
    }
}
