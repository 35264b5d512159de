// SPDX-License-Identifier: Apache-2.0

import CLinux
import Engine
import Glibc
import Synchronization

/// Keeps a second bus from the same ledger: both would send everything.
///
/// The lock lies on the database's file itself, so it is the same one under every name that the file has. The kernel
/// drops it when the process ends, however it ends. SQLite's own locks do not tell, for they are held only while
/// something is read or written.
final class FileLock: Sendable {
    private struct FileID: Hashable {
        let device: UInt
        let number: UInt
    }

    /// Those of this process: to open such a file once more, and close it, would take SQLite's own locks away.
    private static let held = Mutex<Set<FileID>>([])

    private let descriptor: Mutex<Int32>
    private let file: FileID

    /// Locks a file that is there.
    init(on path: String) throws(LedgerError) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw Self.unusable(path, errno) }
        let file = FileID(device: UInt(facts.st_dev), number: UInt(facts.st_ino))
        guard Self.held.withLock({ $0.insert(file).inserted }) else { throw Self.inUse(path) }
        do throws(LedgerError) {
            descriptor = Mutex(try Self.lock(path))
        } catch {
            _ = Self.held.withLock { $0.remove(file) }
            throw error
        }
        self.file = file
    }

    deinit { release() }

    /// To be called when SQLite has closed the file.
    func release() {
        descriptor.withLock { descriptor in
            guard descriptor >= 0 else { return }
            Glibc.close(descriptor)
            descriptor = -1
            _ = Self.held.withLock { $0.remove(file) }
        }
    }

    private static func lock(_ path: String) throws(LedgerError) -> Int32 {
        let opened = open(path, O_CLOEXEC | O_RDWR)
        guard opened >= 0 else { throw unusable(path, errno) }
        let failure = busd_lock_file(opened)
        guard failure != 0 else { return opened }
        Glibc.close(opened)
        if failure == EAGAIN || failure == EACCES { throw inUse(path) }
        let reason = String(cString: strerror(failure))
        throw .failed("the store '\(path)' cannot be locked: \(reason); put it on a local disk")
    }

    private static func inUse(_ path: String) -> LedgerError {
        .failed(
            "the store '\(path)' is in use by another busd, under this name or another (a link):"
                + " stop it, or name another file"
        )
    }

    private static func unusable(_ path: String, _ code: Int32) -> LedgerError {
        let reason = String(cString: strerror(code))
        let advice = "check that the directory exists and that busd may write there"
        return .failed("the store '\(path)' cannot be opened: \(reason); \(advice)")
    }
}
