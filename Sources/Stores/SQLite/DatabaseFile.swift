// SPDX-License-Identifier: Apache-2.0

import Engine
import Glibc
import SQLite

/// The ledger's file: how it is opened, brought up to date and checked.
struct DatabaseFile: Sendable {
    let path: String
    let vfs: String?

    /// A connection for the writer; the first one, which makes or migrates the file.
    func openWriter() throws(LedgerError) -> Connection {
        makePrivateFile()
        return try describing("opened") { () throws(SQLiteError) in
            let connection = try Connection(path: path, mode: .create, vfs: vfs)
            // Waits only for a foreign process (a backup, an operator's shell): our own threads never write.
            connection.waitForLocks(milliseconds: 5_000)
            try refuseForeign(connection)
            try connection.execute(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0"
            )
            try connection.execute("PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -65536")
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
            try connection.execute("PRAGMA cache_size = -16384")
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

    // What is inside is the bank's: the file (and with it the log, which takes its permissions) is for its owner.
    private func makePrivateFile() {
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex { _ = mkdir(String(path[..<slash]), 0o700) }
        let descriptor = open(path, O_CREAT | O_CLOEXEC | O_WRONLY, 0o600)
        if descriptor >= 0 { Glibc.close(descriptor) }
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
            var advice = ""
            if error.code.primary == .notADatabase {
                advice = "; name another file in 'store', or move this one away"
            } else if error.code.primary == .cannotOpen || error.code.primary == .readOnly {
                advice = "; check that the directory exists and that busd may write there"
            }
            throw LedgerError.failed("the store '\(path)' cannot be \(action): \(error)\(advice)")
        }
    }
}
