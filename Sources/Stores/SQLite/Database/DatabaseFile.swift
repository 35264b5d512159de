// SPDX-License-Identifier: Apache-2.0

import CLinux
import Engine
import Glibc
import SQLite

/// The ledger's file: how it is opened, brought up to date and checked.
struct DatabaseFile: Sendable {
    let path: String
    let vfs: String?

    /// Makes the file where there is none; returns whether it did.
    func makeIfMissing() throws(LedgerError) -> Bool {
        try NewDatabase(path: path, vfs: vfs).makeIfMissing { (connection) throws(SQLiteError) in
            try migrate(connection)
            // In the file itself from the beginning: a log that is lost must not take it along.
            _ = try LedgerIdentity(of: connection)
        }
    }

    /// Whether there is a write-ahead log with something in it.
    var hasLog: Bool {
        guard let resolved = realpath(path, nil) else { return false }
        defer { free(resolved) }
        var facts = stat()
        return stat(String(cString: resolved) + "-wal", &facts) == 0 && facts.st_size > 0
    }

    /// A connection for the writer; the first one, which migrates the file.
    ///
    /// What is no database of ours is refused, never made one.
    func openWriter() throws(LedgerError) -> Connection {
        try describing("opened") { () throws(SQLiteError) in
            try refuseStrange()
            let connection = try Connection(path: path, mode: .readWrite, vfs: vfs)
            // Waits only for a foreign process (a backup, an operator's shell): our own threads never write.
            connection.waitForLocks(milliseconds: 5_000)
            try refuseForeign(connection)
            try connection.execute(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0"
            )
            try connection.execute("PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -18432")
            // What is erased is overwritten, where that costs no page more: PIN codes must not stay in free space.
            try connection.execute("PRAGMA secure_delete = FAST")
            try migrate(connection)
            return connection
        }
    }

    /// A connection for a thread that reads.
    func openReader() throws(LedgerError) -> Connection {
        try describing("opened") { () throws(SQLiteError) in
            let connection = try Connection(path: path, mode: .readOnly, vfs: vfs)
            connection.waitForLocks(milliseconds: 1_000)
            try connection.execute("PRAGMA cache_size = -2048")
            return connection
        }
    }

    /// A connection for the thread that does checkpoints.
    func openCheckpointer() throws(LedgerError) -> Connection {
        try describing("opened") { () throws(SQLiteError) in
            let connection = try Connection(path: path, mode: .readWrite, vfs: vfs)
            // The writer rests meanwhile, and urgent notifications wait for it.
            connection.waitForLocks(milliseconds: 5)
            try connection.execute("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0")
            _ = try connection.integer("SELECT count(*) FROM meta")
            return connection
        }
    }

    // SQLite takes an empty file for a new database, and makes one of it.
    private func refuseStrange() throws(SQLiteError) {
        let descriptor = open(path, O_CLOEXEC | O_RDONLY)
        guard descriptor >= 0 else {
            throw SQLiteError(code: .cannotOpen, message: String(cString: strerror(errno)))
        }
        defer { Glibc.close(descriptor) }
        var head = [UInt8](repeating: 0, count: 16)
        let count = head.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else {
            let advice = "restore it from a backup, or delete it to begin with a new store"
            throw SQLiteError(code: .corrupt, message: "the file is empty, what it held is gone; \(advice)")
        }
        guard count == 16, head == Array("SQLite format 3\0".utf8) else {
            throw SQLiteError(code: .notADatabase, message: "file is not a database")
        }
    }

    private func refuseForeign(_ connection: Connection) throws(SQLiteError) {
        let owner = try connection.integer("PRAGMA application_id") ?? 0
        let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
        guard owner == Schema.applicationID || (owner == 0 && tables == 0) else {
            throw SQLiteError(code: .notADatabase, message: "it is another program's database")
        }
        let version = try connection.integer("PRAGMA user_version") ?? 0
        guard version <= Int64(Schema.migrations.count) else {
            let known = Schema.migrations.count
            let message = "its schema has version \(version), this busd knows up to \(known): run the newer busd"
            throw SQLiteError(code: .notADatabase, message: message + ", or restore the backup made before the upgrade")
        }
    }

    private func migrate(_ connection: Connection) throws(SQLiteError) {
        let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
        for number in Schema.migrations.indices.dropFirst(version) {
            try connection.execute(
                """
                BEGIN IMMEDIATE;
                \(Schema.migrations[number]);
                PRAGMA application_id = \(Schema.applicationID);
                PRAGMA user_version = \(number + 1);
                COMMIT
                """
            )
        }
    }

    private func describing<Value>(
        _ action: String,
        _ body: () throws(SQLiteError) -> Value
    ) throws(LedgerError) -> Value {
        do throws(SQLiteError) {
            return try body()
        } catch {
            throw LedgerError.failed("the store '\(path)' cannot be \(action): \(error)\(Self.advice(error))")
        }
    }

    /// What to do about a file that cannot be opened.
    static func advice(_ error: SQLiteError) -> String {
        switch error.code.primary {
        case .notADatabase: "; name another file in 'store', or move this one away"
        case .cannotOpen, .readOnly: "; check that the directory exists and that busd may write there"
        case .full: "; make room on its disk"
        default: ""
        }
    }
}
