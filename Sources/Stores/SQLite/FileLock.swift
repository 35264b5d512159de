// SPDX-License-Identifier: Apache-2.0

import Engine
import Glibc
import Synchronization

/// Keeps a second bus from the same ledger: both would send everything.
///
/// The kernel drops the lock when the process ends, however it ends. SQLite's own locks do not tell, for they are
/// held only while something is read or written.
final class FileLock: Sendable {
    private let descriptor: Mutex<Int32>

    init(for path: String) throws(LedgerError) {
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex { _ = mkdir(String(path[..<slash]), 0o700) }
        let opened = open(path + ".lock", O_CREAT | O_CLOEXEC | O_RDWR, 0o600)
        guard opened >= 0 else {
            let reason = String(cString: strerror(errno))
            throw LedgerError.failed(
                "the store '\(path)' cannot be opened: \(reason); "
                    + "check that the directory exists and that busd may write there"
            )
        }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            Glibc.close(opened)
            throw LedgerError.failed("the store '\(path)' is in use by another busd: stop it, or name another file")
        }
        descriptor = Mutex(opened)
    }

    deinit { release() }

    func release() {
        descriptor.withLock { descriptor in
            guard descriptor >= 0 else { return }
            Glibc.close(descriptor)
            descriptor = -1
        }
    }
}
