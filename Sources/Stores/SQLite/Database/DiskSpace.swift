// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The room on the disk that a file lies on.
struct DiskSpace {
    /// Bytes that are left for this program.
    let free: Int
    /// Bytes there are in all.
    let total: Int

    init(free: Int, total: Int) {
        self.free = free
        self.total = total
    }

    /// Asks the system, and may block where the disk does; `nil` where it does not say.
    init?(of path: String) {
        var facts = statvfs()
        guard statvfs(path, &facts) == 0, facts.f_blocks > 0 else { return nil }
        free = Self.bytes(facts.f_bavail, facts.f_frsize)
        total = Self.bytes(facts.f_blocks, facts.f_frsize)
    }

    private static func bytes(_ blocks: some BinaryInteger, _ size: some BinaryInteger) -> Int {
        let (product, isOver) = Int(clamping: blocks).multipliedReportingOverflow(by: Int(clamping: size))
        return isOver ? .max : product
    }
}
