// SPDX-License-Identifier: Apache-2.0

import CLinux
import Engine
import Glibc
import SQLite

/// Makes a database where there is none: beside its place, then put there as a whole.
///
/// So a file that is empty was not left by a start that was cut short: somebody emptied it.
struct NewDatabase {
    let path: String
    let vfs: String?

    /// Makes one where nothing has the name; returns whether it did.
    ///
    /// - Throws: ``LedgerError/failed(_:)`` where it cannot be made, or another one's log lies beside its place.
    func makeIfMissing(_ fill: (Connection) throws(SQLiteError) -> Void) throws(LedgerError) -> Bool {
        let place = Self.linkTarget(of: path) ?? path
        var facts = stat()
        // Before the file itself: whoever makes one at this moment makes the file first.
        let hasLog = stat(place + "-wal", &facts) == 0 && facts.st_size > 0
        guard stat(path, &facts) != 0, errno == ENOENT else { return false }
        guard !hasLog else { throw .failed(Self.orphan(path, place + "-wal")) }
        if let slash = place.lastIndex(of: "/"), slash > place.startIndex { _ = mkdir(String(place[..<slash]), 0o700) }
        let draft = "\(place).new-\(getpid())"
        remove(draft)
        defer { remove(draft) }
        do throws(SQLiteError) {
            try make(draft, fill)
        } catch {
            throw .failed("the store '\(path)' cannot be made: \(error)\(DatabaseFile.advice(error))")
        }
        // Whoever was faster has made the same.
        guard link(draft, place) == 0 || errno == EEXIST || rename(draft, place) == 0 else {
            throw .failed("the store '\(path)' cannot be made: \(String(cString: strerror(errno)))")
        }
        Self.syncFolder(of: place)
        return true
    }

    // SQLite would play the log of the one into the other, and neither would be whole.
    private static func orphan(_ path: String, _ log: String) -> String {
        "the store '\(path)' is gone, but its write-ahead log '\(log)' is still there and holds what was confirmed last."
            + " Put the file back, or a backup with a log of its own; or, to begin with a new store, move the log away"
    }

    // What is inside is the bank's: the file (and with it the log, which takes its permissions) is for its owner.
    private func make(_ draft: String, _ fill: (Connection) throws(SQLiteError) -> Void) throws(SQLiteError) {
        let descriptor = open(draft, O_CREAT | O_EXCL | O_CLOEXEC | O_WRONLY, 0o600)
        guard descriptor >= 0 else {
            throw SQLiteError(code: .cannotOpen, message: String(cString: strerror(errno)))
        }
        defer { Glibc.close(descriptor) }
        let connection = try Connection(path: draft, mode: .readWrite, vfs: vfs)
        // Synced once as a whole, before it gets its name.
        try connection.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
        try fill(connection)
        guard fsync(descriptor) == 0 else {
            throw SQLiteError(code: .ioError, message: String(cString: strerror(errno)))
        }
    }

    private func remove(_ draft: String) { for end in ["", "-journal", "-wal", "-shm"] { unlink(draft + end) } }

    /// Where a link points whose target is still to be made.
    private static func linkTarget(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count - 1)
        guard count > 0 else { return nil }
        let target = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard !target.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return target }
        return path[...slash] + target
    }

    private static func syncFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        Glibc.close(descriptor)
    }
}
