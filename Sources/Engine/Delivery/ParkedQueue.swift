// SPDX-License-Identifier: Apache-2.0

import Bus

/// A queue of the ledger in which deliveries are parked: what a channel that cannot be used may not hold in memory.
struct ParkedQueue {
    /// The channel; `nil` where the pipeline has it no more, and its deliveries go back to the others.
    let channel: Int?
    /// The channel's number in the ledger.
    let number: Int32
    let lane: Queue.Lane
    /// Deliveries in memory that the ledger still has in this queue.
    var count = 0
    /// Whether the ledger holds some that are not in memory.
    var isSpilled = false
    var isLoading = false
    /// What left memory while a page is read: the page may still show it as it was.
    var left: Set<Int64> = []
    /// Not to be read before.
    var notBefore = MonotonicTime.distantPast
}

extension ParkedQueue {
    /// Gives each name a number of its own, the same after every restart whatever else is in the list.
    static func numbers(of names: [String]) -> [Int32] {
        var taken: Set<Int32> = []
        return names.map { name in
            var number = hash(name)
            while !taken.insert(number).inserted { number = number % Queue.largestParking + 1 }
            return number
        }
    }

    /// FNV-1a, folded into the range that a queue has room for.
    private static func hash(_ name: String) -> Int32 {
        let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return Int32(hash % UInt64(Queue.largestParking)) + 1
    }
}
