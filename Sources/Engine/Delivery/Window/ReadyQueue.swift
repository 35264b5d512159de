// SPDX-License-Identifier: Apache-2.0

import Bus
import Collections

/// Deliveries whose turn is next: the highest priority first, within one in the order they came.
///
/// One that became something else meanwhile keeps its place and is passed over; such places are swept up now and then.
struct ReadyQueue {
    private var levels = [Deque<InFlightDelivery>](repeating: Deque(), count: 11)
    /// Places, those of deliveries that became something else included.
    private(set) var count = 0
    /// Places of deliveries that became something else, as far as that was told.
    private var lost = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ delivery: InFlightDelivery) {
        levels[Self.level(of: delivery)].append(delivery)
        count += 1
    }

    /// For what had its turn before: it goes before all that had none.
    mutating func prepend(_ delivery: InFlightDelivery) {
        levels[Self.level(of: delivery)].prepend(delivery)
        count += 1
    }

    mutating func popFirst() -> InFlightDelivery? {
        guard count > 0 else { return nil }
        for level in stride(from: 10, through: 0, by: -1) {
            guard let delivery = levels[level].popFirst() else { continue }
            count -= 1
            if delivery.phase != .ready, lost > 0 { lost -= 1 }
            return delivery
        }
        return nil
    }

    /// Notes that one became something else.
    ///
    /// While no channel can be used nothing is taken out, and what expires in here must not be kept for ever.
    mutating func lostOne() {
        lost += 1
        guard lost > count / 2 + 64 else { return }
        for level in levels.indices {
            var kept = Deque<InFlightDelivery>()
            while let delivery = levels[level].popFirst() { if delivery.phase == .ready { kept.append(delivery) } }
            levels[level] = kept
        }
        count = levels.reduce(0) { $0 + $1.count }
        lost = 0
    }

    private static func level(of delivery: InFlightDelivery) -> Int {
        min(max(delivery.notification.notification.priority, 0), 10)
    }
}
