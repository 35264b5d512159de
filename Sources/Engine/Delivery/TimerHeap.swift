// SPDX-License-Identifier: Apache-2.0

import Bus

/// Times at which something is due, one for each key, earliest first.
///
/// A binary heap that knows where each key stands, so that a timer can be moved or taken out: the heap never holds
/// more than what really waits.
struct TimerHeap<Key: Hashable & Sendable>: Sendable {
    private var heap: [(time: MonotonicTime, key: Key)] = []
    private var positions: [Key: Int] = [:]

    /// The number of timers.
    var count: Int { heap.count }
    /// The earliest time.
    var next: MonotonicTime? { heap.first?.time }

    /// Sets, or moves, the timer of a key.
    mutating func set(_ key: Key, at time: MonotonicTime) {
        if let position = positions[key] {
            heap[position].time = time
            settle(position)
        } else {
            heap.append((time, key))
            positions[key] = heap.count - 1
            settle(heap.count - 1)
        }
    }

    /// Takes the timer of a key out, if there is one.
    mutating func remove(_ key: Key) {
        guard let position = positions.removeValue(forKey: key) else { return }
        let last = heap.removeLast()
        guard position < heap.count else { return }
        heap[position] = last
        positions[last.key] = position
        settle(position)
    }

    /// Takes out the earliest key whose time has come.
    mutating func popDue(at now: MonotonicTime) -> Key? {
        guard let first = heap.first, first.time <= now else { return nil }
        remove(first.key)
        return first.key
    }

    private mutating func settle(_ start: Int) {
        var position = start
        while position > 0, heap[position].time < heap[(position - 1) / 2].time {
            exchange(position, (position - 1) / 2)
            position = (position - 1) / 2
        }
        while true {
            var least = position
            for child in [2 * position + 1, 2 * position + 2] where child < heap.count {
                if heap[child].time < heap[least].time { least = child }
            }
            if least == position { return }
            exchange(position, least)
            position = least
        }
    }

    private mutating func exchange(_ left: Int, _ right: Int) {
        heap.swapAt(left, right)
        positions[heap[left].key] = left
        positions[heap[right].key] = right
    }
}
