// SPDX-License-Identifier: Apache-2.0

import Bus
import Collections

/// Deliveries whose turn is next: the highest priority first, within one in the order they came.
///
/// One that became something else meanwhile keeps its place, and is passed over.
struct ReadyQueue {
    private var levels = [Deque<InFlightDelivery>](repeating: Deque(), count: 11)
    private var count = 0

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
            return delivery
        }
        return nil
    }

    private static func level(of delivery: InFlightDelivery) -> Int {
        min(max(delivery.notification.notification.priority, 0), 10)
    }
}
