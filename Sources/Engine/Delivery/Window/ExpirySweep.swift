// SPDX-License-Identifier: Apache-2.0

import Bus

/// When the ledger is asked what expired, and what left memory while it looked.
struct ExpirySweep {
    /// Deliveries asked for at once.
    static let limit = 1_000

    /// When it is asked next.
    private(set) var next = MonotonicTime.distantPast
    private var isAsked = false
    /// What left memory meanwhile, which the answer may still show as it was.
    private var evicted: Set<Int64> = []

    /// Whether it is time; the next time is `interval` milliseconds later.
    mutating func isDue(at now: MonotonicTime, every interval: Int64) -> Bool {
        guard now >= next else { return false }
        next = now.adding(milliseconds: interval)
        return true
    }

    /// Begins to ask, unless the last answer is not there yet.
    mutating func begin() -> Bool {
        defer { isAsked = true }
        return !isAsked
    }

    /// Takes an answer; returns what left memory meanwhile.
    mutating func end() -> Set<Int64> {
        isAsked = false
        defer { evicted = [] }
        return evicted
    }

    /// Notes that one left memory.
    mutating func noteEvicted(_ number: Int64) { if isAsked { evicted.insert(number) } }

    /// Asks again at once: there is more.
    mutating func goOn(at now: MonotonicTime) { next = now }
}
