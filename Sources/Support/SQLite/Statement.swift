// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// A prepared statement, to be kept and run many times.
///
/// It belongs to its connection's thread.
///
/// Parameters count from 1, columns from 0, as SQLite has them. A failed bind is told by the next ``step()``.
public final class Statement {
    private let handle: OpaquePointer
    private let connection: Connection
    private var bindFailure: Int32 = SQLITE_OK

    /// Compiles one statement.
    public init(_ sql: String, on connection: Connection) throws(SQLiteError) {
        var compiled: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &compiled, nil)
        guard code == SQLITE_OK, let compiled else { throw SQLiteError(code, connection.handle) }
        handle = compiled
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// Goes to the next row; `false` when there is none.
    public func step() throws(SQLiteError) -> Bool {
        guard bindFailure == SQLITE_OK else {
            let code = bindFailure
            reset()
            throw SQLiteError(code, nil)
        }
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else {
            let error = SQLiteError(code, connection.handle)
            reset()
            throw error
        }
        return false
    }

    /// Runs the statement to its end and makes it ready for the next run.
    public func run() throws(SQLiteError) {
        while try step() {}
        reset()
    }

    /// Makes the statement ready for the next run.
    ///
    /// Bound values stay until they are bound anew.
    public func reset() {
        bindFailure = SQLITE_OK
        sqlite3_reset(handle)  // its code repeats the failure that step() told
    }

    /// Drops bound values, so that big ones do not stay in memory.
    public func clear() { sqlite3_clear_bindings(handle) }
}

// MARK: - Parameters

extension Statement {
    private func note(_ code: Int32) { if code != SQLITE_OK { bindFailure = code } }

    /// Binds a number.
    public func bind(_ value: Int64, at index: Int32) { note(sqlite3_bind_int64(handle, index, value)) }

    /// Binds a number or NULL.
    public func bind(_ value: Int64?, at index: Int32) {
        guard let value else { return note(sqlite3_bind_null(handle, index)) }
        bind(value, at: index)
    }

    /// Binds a text; its UTF-8 bytes are copied.
    public func bind(_ text: String, at index: Int32) {
        var text = text
        text.withUTF8 { bytes in
            guard let count = Int32(exactly: bytes.count) else { return note(SQLITE_TOOBIG) }
            note(busd_sqlite3_bind_text(handle, index, bytes.baseAddress, count))
        }
    }

    /// Binds a text or NULL.
    public func bind(_ text: String?, at index: Int32) {
        guard let text else { return note(sqlite3_bind_null(handle, index)) }
        bind(text, at: index)
    }

    /// Binds bytes; they are copied.
    public func bind(_ bytes: [UInt8], at index: Int32) {
        guard let count = Int32(exactly: bytes.count) else { return note(SQLITE_TOOBIG) }
        bytes.withUnsafeBytes { note(busd_sqlite3_bind_blob(handle, index, $0.baseAddress, count)) }
    }

    /// Binds bytes or NULL.
    public func bind(_ bytes: [UInt8]?, at index: Int32) {
        guard let bytes else { return note(sqlite3_bind_null(handle, index)) }
        bind(bytes, at: index)
    }
}

// MARK: - Columns

extension Statement {
    /// Whether a column is NULL.
    public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// Whether a column holds bytes that are no text.
    public func isBlob(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_BLOB }

    /// A column as a number.
    public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// A column as a number, where it is not NULL.
    public func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// A column as text, copied; bytes that are no UTF-8 are replaced.
    public func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A column as text, where it is not NULL.
    public func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// A column's bytes, copied.
    public func bytes(_ column: Int32) -> [UInt8] {
        let start = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// A column's bytes, where it is not NULL.
    public func optionalBytes(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }
}
