// SPDX-License-Identifier: Apache-2.0

import Bus

/// A queue of the ledger in which deliveries are parked: what a channel that cannot be used may not hold in memory.
final class ParkedQueue {
    /// The channel's number in the ledger.
    let number: Int32
    let lane: Queue.Lane
    /// Deliveries in memory that the ledger still has in this queue.
    private(set) var count = 0
    var cursor = PageCursor()
    /// Not to be read before.
    var notBefore = MonotonicTime.distantPast

    init(number: Int32, lane: Queue.Lane) {
        self.number = number
        self.lane = lane
    }

    /// Notes in which parked queue the ledger has a delivery now; `nil`: in its lane.
    static func move(_ delivery: InFlightDelivery, to queue: ParkedQueue?) {
        delivery.parked?.count -= 1
        delivery.parked = queue
        queue?.count += 1
    }

    /// Notes that a delivery leaves memory.
    func evict(_ delivery: InFlightDelivery) {
        count -= 1
        cursor.noteEvicted(delivery.sequence)
        if delivery.marks.contains(.parking) { cursor.spill() }
    }
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
