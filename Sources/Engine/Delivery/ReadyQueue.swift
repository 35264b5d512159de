// SPDX-License-Identifier: Apache-2.0

/// Deliveries whose turn is next: the highest priority first, within one in the order they came.
struct ReadyQueue {
    private var levels = [Deque<Int64>](repeating: Deque(), count: 11)
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ delivery: Int64, priority: Int) {
        levels[min(max(priority, 0), 10)].append(delivery)
        count += 1
    }

    /// For what had its turn before: it goes before all that had none.
    mutating func prepend(_ delivery: Int64, priority: Int) {
        levels[min(max(priority, 0), 10)].prepend(delivery)
        count += 1
    }

    mutating func popFirst() -> Int64? {
        guard count > 0 else { return nil }
        for level in stride(from: 10, through: 0, by: -1) {
            guard let delivery = levels[level].popFirst() else { continue }
            count -= 1
            return delivery
        }
        return nil
    }
}
