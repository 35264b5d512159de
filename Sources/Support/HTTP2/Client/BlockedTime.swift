// SPDX-License-Identifier: Apache-2.0

/// How long requests have waited for the peer, not for us: only time the loop slept counts, so a busy machine does
/// not open connections that cannot help it.
struct BlockedTime {
    /// In nanoseconds.
    private(set) var total: UInt64 = 0
    private(set) var isBlocked = false
    /// Whether the peer has done something useful since the pool last grew: errors do not earn connections.
    private(set) var hasSucceeded = false

    mutating func slept(_ nanoseconds: UInt64) {
        if isBlocked { total += nanoseconds }
    }

    mutating func set(blocked: Bool) {
        isBlocked = blocked
        if !blocked { total = 0 }
    }

    mutating func succeed() { hasSucceeded = true }

    mutating func restart() {
        total = 0
        hasSucceeded = false
    }
}
