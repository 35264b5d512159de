// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite

/// The latest reading of the schedule clock that the database holds: after a restart the clock goes on from there
/// even where the wall clock was set back meanwhile.
///
/// Written with whatever else is written, at most once a second: a wait that is stored began less than a second after
/// the mark.
struct ScheduleMark {
    private static let interval: Int64 = 1_000

    private let write: Statement
    private let read: Statement
    private var written: DueTime?
    private var before: DueTime?

    init(_ connection: Connection) throws(SQLiteError) {
        write = try Statement(
            "INSERT INTO meta (key, value) VALUES ('schedule', ?1) ON CONFLICT (key) DO UPDATE SET value = ?1",
            on: connection
        )
        read = try Statement("SELECT value FROM meta WHERE key = 'schedule'", on: connection)
    }

    /// The reading that is stored; `nil` in a new database.
    func last() throws(SQLiteError) -> DueTime? {
        defer { read.reset() }
        return try read.step() ? read.dueTime(0) : nil
    }

    /// Writes a reading into the open transaction, if it is time.
    mutating func keep(_ now: DueTime) throws(SQLiteError) {
        before = written
        if let written, now.milliseconds(since: written) < Self.interval { return }
        write.bind(now, at: 1)
        try write.run()
        written = now
    }

    /// Takes back what a transaction that failed would have kept.
    mutating func rewind() { written = before }
}
