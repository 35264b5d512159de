// SPDX-License-Identifier: Apache-2.0

import Bus

/// Keeps the log readable where thousands may fail in a second: the first is told at once, those that follow are
/// counted and told together once a minute.
struct LineLimit {
    private static let interval: Int64 = 60_000

    private var next = MonotonicTime.distantPast
    private(set) var held = 0

    /// Whether one may be told now; counts it where it may not.
    mutating func takes(at now: MonotonicTime) -> Bool {
        guard now >= next, held == 0 else {
            held += 1
            return false
        }
        next = now.adding(milliseconds: Self.interval)
        return true
    }

    /// How many were held back, once their time has come.
    mutating func takeHeld(at now: MonotonicTime) -> Int? {
        guard held > 0, now >= next else { return nil }
        defer { held = 0 }
        next = now.adding(milliseconds: Self.interval)
        return held
    }

    /// When what was held back may be told; `nil` where nothing was.
    var heldUntil: MonotonicTime? { held > 0 ? next : nil }

    /// Whether something was told since it began anew.
    var hasTold: Bool { next > .distantPast }

    /// Begins anew: the next one is told at once.
    mutating func reset() { self = LineLimit() }
}
