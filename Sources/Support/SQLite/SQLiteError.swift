// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// What SQLite said, with the extended code.
public struct ResultCode: RawRepresentable, Hashable, Sendable {
    /// The extended result code.
    public let rawValue: Int32
    /// Wraps a code of SQLite's.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The code without its detail, for example `constraint` for "a unique constraint failed".
    public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

    /// Another connection holds a lock.
    public static let busy = ResultCode(rawValue: SQLITE_BUSY)
    /// The file cannot be read or written.
    public static let ioError = ResultCode(rawValue: SQLITE_IOERR)
    /// The disk is full.
    public static let full = ResultCode(rawValue: SQLITE_FULL)
    /// The file is damaged.
    public static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
    /// The file is no database.
    public static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
    /// The file cannot be opened.
    public static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
    /// The file may not be written.
    public static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
    /// A row breaks a rule of the schema.
    public static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
}

/// Why SQLite did not do what it was asked.
///
/// Bound values are never part of it.
public struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What SQLite said.
    public let code: ResultCode
    /// SQLite's sentence.
    public let message: String

    /// Describes a failure.
    public init(code: ResultCode, message: String) {
        self.code = code
        self.message = message
    }

    init(_ code: Int32, _ connection: OpaquePointer?) {
        self.code = ResultCode(rawValue: connection.map { sqlite3_extended_errcode($0) } ?? code)
        message = String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
    }

    /// The sentence and the code.
    public var description: String { "\(message) (SQLite code \(code.rawValue))" }
}
