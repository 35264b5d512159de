// SPDX-License-Identifier: Apache-2.0

import Bus

/// Lets so many lines a second into the log.
struct NoteLimit {
    private let perSecond: Int
    private var second = MonotonicTime.distantPast
    private var count = 0

    init(perSecond: Int) { self.perSecond = perSecond }

    mutating func takes(at now: MonotonicTime) -> Bool {
        if now.milliseconds(since: second) >= 1_000 {
            second = now
            count = 0
        }
        count += 1
        return count <= perSecond
    }
}
