// SPDX-License-Identifier: Apache-2.0

import Bus

/// How long a drain waits for far ends: as long as they answer, and a little beyond.
struct DrainPatience {
    /// How long all may be silent before pushes are left: after a restart they go out again, and replace each other.
    static let pushes: Int64 = 2_000
    /// How long before callbacks are left: after a restart the bank is told again.
    static let callbacks: Int64 = 5_000
    /// How long before text messages are left, which are never sent again.
    static let texts: Int64 = 10_000

    private var underWay = -1
    private var quietSince = MonotonicTime.distantPast

    /// Takes how much is under way; returns for how many milliseconds nothing of it was answered.
    mutating func silence(underWay count: Int, at now: MonotonicTime) -> Int64 {
        if count != underWay {
            underWay = count
            quietSince = now
        }
        return now.milliseconds(since: quietSince)
    }
}
