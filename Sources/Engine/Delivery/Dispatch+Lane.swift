// SPDX-License-Identifier: Apache-2.0

import Bus

extension Dispatch {
    /// What is known of a lane.
    struct Lane {
        /// Deliveries in memory.
        var count = 0
        /// Those being resolved or under way.
        var active = 0
        /// Those being resolved.
        var resolving = 0
        var ready = ReadyQueue()
        /// Whether the ledger may hold some that are due and not in memory; so it is at the start.
        var isSpilled = true
        var isLoading = false
        /// Whether older ones than what is accepted now are in the ledger only: what is new goes behind them.
        var isBehind = true
        /// What was accepted while a page was read, which may end with the older ones.
        var late: [(delivery: Int64, entry: Entry)] = []
        /// What left memory while a page is read: the page may still show it as it was.
        var left: Set<Int64> = []
        /// When the next one that left memory is due.
        private(set) var nextDue: MonotonicTime?

        /// Notes that one that is not in memory is due then.
        mutating func noteDue(_ time: MonotonicTime) { nextDue = min(nextDue ?? .distantFuture, time) }

        /// Notes that a page is asked for, which will tell.
        mutating func forgetDue() { nextDue = nil }
    }
}
