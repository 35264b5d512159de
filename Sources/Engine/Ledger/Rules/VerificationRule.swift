// SPDX-License-Identifier: Apache-2.0

/// How registrations wait for a code.
///
/// Pure; any thread.
package enum VerificationRule {
    /// The most that wait; each is a few hundred bytes, for some minutes.
    package static let mostWaiting: Int64 = 200_000
    /// Those whose time is over go in small lots, with the new ones that come.
    package static let lot = 100

    /// Whether there is room for one more beside those with numbers from `first` to `last`; numbers only go up, so that
    /// these bound how many there are.
    package static func hasRoom(first: Int64, last: Int64) -> Bool { last - first < mostWaiting }

    /// Whether the waiting is over.
    package static func isOver(expires: DueTime, now: DueTime) -> Bool { expires <= now }

    /// What a code finds.
    package enum Verdict: Sendable, Equatable {
        /// It may be looked at; so many tries are counted then.
        case tries(Int)
        /// There were as many tries as may be.
        case usedUp
        /// Nothing waits any more.
        case over
    }

    /// Counts a try, before the code is looked at: neither haste nor a crash gives anybody more of them.
    package static func take(tries: Int, of most: Int, expires: DueTime, now: DueTime) -> Verdict {
        if isOver(expires: expires, now: now) { return .over }
        return tries < most ? .tries(tries + 1) : .usedUp
    }

    /// The tries after one is taken back whose code nobody could look at.
    package static func giveBack(tries: Int) -> Int { max(0, tries - 1) }
}
