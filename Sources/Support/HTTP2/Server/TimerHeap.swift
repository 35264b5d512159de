// SPDX-License-Identifier: Apache-2.0

internal import Bus

/// Things to do later, soonest first; equal times keep no order.
struct TimerHeap<Element> {
    private var items: [(time: MonotonicTime, element: Element)] = []

    var next: MonotonicTime? { items.first?.time }

    mutating func insert(_ element: Element, at time: MonotonicTime) {
        items.append((time, element))
        var child = items.count - 1
        while child > 0, items[child].time < items[(child - 1) / 2].time {
            items.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func popDue(_ now: MonotonicTime) -> Element? {
        guard let first = items.first, first.time <= now else { return nil }
        let last = items.removeLast()
        if !items.isEmpty {
            items[0] = last
            sink()
        }
        return first.element
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < items.count {
                if items[child].time < items[least].time { least = child }
            }
            guard least != parent else { return }
            items.swapAt(parent, least)
            parent = least
        }
    }
}
