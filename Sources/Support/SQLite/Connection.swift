// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// A connection to a database file.
///
/// One thread at a time may use it and its statements; that saves SQLite's locks.
public final class Connection {
    let handle: OpaquePointer

    /// What a connection may do.
    public enum Mode: Sendable {
        case readOnly, readWrite
        /// Makes the file where there is none.
        case create
    }

    // Chosen once for the process, before SQLite initialises itself; later it is refused, which harms nothing.
    private static let prepared: Void = { _ = busd_sqlite3_disable_statistics() }()

    /// Opens a file; it is read only when the first statement needs it.
    ///
    /// `vfs` is the name of a registered SQLite VFS; `nil` for the system's.
    public init(path: String, mode: Mode = .create, vfs: String? = nil) throws(SQLiteError) {
        _ = Self.prepared
        let access =
            switch mode {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, vfs)
        guard code == SQLITE_OK, let opened else {
            let error = SQLiteError(code, opened)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        _ = busd_sqlite3_defend(opened)
    }

    // `close_v2`: statements hold the connection, but their deinits may run after its own began.
    deinit { sqlite3_close_v2(handle) }

    /// Runs statements that return nothing of interest, separated by semicolons.
    public func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, handle) }
    }

    /// Runs a statement and returns the first column of its first row as a number; `nil` without a row or value.
    public func integer(_ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try Statement(sql, on: self)
        defer { statement.reset() }
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return statement.integer(0)
    }

    /// Runs a statement and returns the first column of its first row as text; `nil` without a row or value.
    public func text(_ sql: String) throws(SQLiteError) -> String? {
        let statement = try Statement(sql, on: self)
        defer { statement.reset() }
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return statement.text(0)
    }

    /// How long to wait for another connection's lock, in milliseconds.
    public func waitForLocks(milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

    /// Whether a transaction is open: some failures end it by themselves, others leave it.
    public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// How many rows the last INSERT, UPDATE or DELETE touched.
    public var changes: Int { Int(sqlite3_changes(handle)) }

    /// How many rows have been touched since the connection was opened, modulo 2³².
    public var totalChanges: Int { Int(sqlite3_total_changes(handle)) }

    /// The rowid of the last INSERT.
    public var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }
}
