// SPDX-License-Identifier: Apache-2.0

import Bus

/// How far a window has read a queue of the ledger: whether there may be more, and whether a page is being read.
struct PageCursor {
    /// Whether the ledger may hold some that are due and not in memory; so it is at the start.
    private(set) var isSpilled = true
    private(set) var isLoading = false
    /// When the next one that is not in memory is due.
    private var nextDue: MonotonicTime?
    /// What left memory while a page is read: the page may still show it as it was.
    private var evicted: [Int64] = []

    /// Numbers that left memory while a page was read.
    struct Evicted {
        private let sorted: [Int64]

        fileprivate init(_ numbers: [Int64]) { sorted = numbers.sorted() }

        func contains(_ number: Int64) -> Bool {
            var range = sorted.indices
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                if sorted[middle] == number { return true }
                range = sorted[middle] < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            return false
        }
    }

    /// When a page is wanted though nothing happens; `nil` for never.
    var nextRead: MonotonicTime? { isLoading ? nil : nextDue }

    /// Notes that the ledger may hold some that are due and not in memory.
    mutating func spill() { isSpilled = true }

    /// Notes that one that is not in memory is due then.
    mutating func noteDue(_ time: MonotonicTime) { nextDue = min(nextDue ?? .distantFuture, time) }

    /// Notes that one left memory.
    mutating func noteEvicted(_ number: Int64) { if isLoading { evicted.append(number) } }

    /// Whether a page should be read now.
    mutating func wantsPage(at now: MonotonicTime) -> Bool {
        if let nextDue, nextDue <= now { isSpilled = true }
        return isSpilled && !isLoading
    }

    /// Notes that a page is asked for, which will tell what is due.
    mutating func begin() {
        isSpilled = false
        isLoading = true
        nextDue = nil
    }

    /// Notes that the page is there; returns what left memory meanwhile.
    mutating func end() -> Evicted {
        isLoading = false
        defer { evicted = [] }
        return Evicted(evicted)
    }
}
