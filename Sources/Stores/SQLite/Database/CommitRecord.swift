// SPDX-License-Identifier: Apache-2.0

import Engine
import Glibc
import SQLite

/// How many commits the store has confirmed, noted beside it: `PATH.commits`.
///
/// Each transaction counts itself within the database; when it is on disk its number is noted here, in a file of its
/// own. A store that holds fewer commits than were confirmed has lost some: its write-ahead log was removed or
/// emptied, or an older copy took its place. The note is not synced each time, so after a power cut it may be behind
/// the store, never ahead of it; a crash of the process loses nothing of it.
final class CommitRecord {
    private static let magic = Array("busdcmt1".utf8)
    private static let length = 40

    private let descriptor: Int32
    private let identity: [UInt8]

    /// Opens the record of a store and holds it against the `count` of commits that the store has.
    ///
    /// - Throws: ``LedgerError/failed(_:)`` where commits are missing, with what to do.
    init(of path: String, identity: LedgerIdentity, count: Int64) throws(LedgerError) {
        let place = Self.place(of: path)
        self.identity = Self.bytes(identity.high) + Self.bytes(identity.low)
        descriptor = open(place, O_CREAT | O_CLOEXEC | O_RDWR, 0o600)
        guard descriptor >= 0 else {
            throw .failed("the store's record '\(place)' cannot be opened: \(String(cString: strerror(errno)))")
        }
        if let noted = read(), noted > count {
            throw .failed(Self.loss(path, place, noted - count))
        }
        note(count)
        fsync(descriptor)
    }

    deinit { Glibc.close(descriptor) }

    /// Notes a commit that is on disk.
    func note(_ count: Int64) {
        var bytes = Self.magic + identity + Self.bytes(UInt64(bitPattern: count))
        bytes += Self.bytes(Self.checksum(bytes[...]))
        // Where it cannot be written the store may be ahead of it, which is no harm.
        _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// The number noted for this very store; `nil` where there is none, or another store's.
    private func read() -> Int64? {
        var bytes = [UInt8](repeating: 0, count: Self.length)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count == Self.length, bytes.starts(with: Self.magic), Array(bytes[8..<24]) == identity,
            Self.bytes(Self.checksum(bytes[..<32])).elementsEqual(bytes[32...])
        else { return nil }
        return Int64(bitPattern: bytes[24..<32].reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Beside the file itself, whatever link led to it: as SQLite does with its log.
    private static func place(of path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path + ".commits" }
        defer { free(resolved) }
        return String(cString: resolved) + ".commits"
    }

    private static func loss(_ path: String, _ place: String, _ missing: Int64) -> String {
        "the store '\(path)' is not whole: \(missing) confirmed commits are missing. Its write-ahead log '\(path)-wal'"
            + " was removed or emptied after a crash, or an older copy of the store was put in its place. Put the"
            + " missing file back; or, to go on without what those commits held, delete '\(place)' and start again"
    }

    private static func bytes(_ word: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
    }

    /// FNV-1a: tells a record from what a power cut left of one.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}

/// The writer's side: counts each transaction within the database.
final class CommitCounter {
    private let record: CommitRecord
    private let store: Statement
    private(set) var count: Int64

    /// - Throws: ``LedgerError`` where the store has lost commits, or cannot be read.
    init(_ connection: Connection, path: String, identity: LedgerIdentity) throws(LedgerError) {
        do throws(SQLiteError) {
            if try connection.integer("SELECT 1 FROM meta WHERE key = 'commits'") == nil {
                try connection.execute("INSERT INTO meta (key, value) VALUES ('commits', 0)")
            }
            count = try connection.integer("SELECT value FROM meta WHERE key = 'commits'") ?? 0
            store = try Statement("UPDATE meta SET value = ?1 WHERE key = 'commits'", on: connection)
        } catch {
            throw .failed("the store '\(path)' cannot be opened: \(error)")
        }
        record = try CommitRecord(of: path, identity: identity, count: count)
    }

    /// Within the transaction, as its last statement.
    func countThis() throws(SQLiteError) {
        store.bind(count + 1, at: 1)
        try store.run()
    }

    /// The transaction is on disk.
    func confirm() {
        count += 1
        record.note(count)
    }
}
