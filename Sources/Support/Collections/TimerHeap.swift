// SPDX-License-Identifier: Apache-2.0

public import Bus

/// What can stand in one ``TimerHeap``.
public protocol TimerHeapElement: AnyObject {
    /// Where it stands; -1 where it does not. The heap's own.
    var timerPosition: Int { get set }
}

/// Times at which something is due, one for each element, earliest first.
///
/// A binary heap whose elements know where they stand, so that a timer can be moved or taken out without a search:
/// the heap never holds more than what really waits.
public struct TimerHeap<Element: TimerHeapElement> {
    @usableFromInline var heap: ContiguousArray<(time: MonotonicTime, element: Element)> = []

    /// Creates an empty one.
    @inlinable
    public init() {}

    /// The number of timers.
    @inlinable
    public var count: Int { heap.count }
    /// The earliest time.
    @inlinable
    public var next: MonotonicTime? { heap.first?.time }

    /// Sets, or moves, the timer of an element.
    @inlinable
    public mutating func set(_ element: Element, at time: MonotonicTime) {
        if element.timerPosition >= 0 {
            heap[element.timerPosition].time = time
        } else {
            element.timerPosition = heap.count
            heap.append((time, element))
        }
        settle(element.timerPosition)
    }

    /// Takes the timer of an element out, if there is one.
    @inlinable
    public mutating func remove(_ element: Element) {
        let position = element.timerPosition
        guard position >= 0 else { return }
        element.timerPosition = -1
        let last = heap.removeLast()
        guard position < heap.count else { return }
        heap[position] = last
        last.element.timerPosition = position
        settle(position)
    }

    /// Takes out the earliest element whose time has come.
    @inlinable
    public mutating func popDue(at now: MonotonicTime) -> Element? {
        guard let first = heap.first, first.time <= now else { return nil }
        remove(first.element)
        return first.element
    }

    @usableFromInline
    mutating func settle(_ start: Int) {
        var position = start
        while position > 0, heap[position].time < heap[(position - 1) / 2].time {
            exchange(position, (position - 1) / 2)
            position = (position - 1) / 2
        }
        while true {
            var least = position
            for child in 2 * position + 1...2 * position + 2 where child < heap.count {
                if heap[child].time < heap[least].time { least = child }
            }
            if least == position { return }
            exchange(position, least)
            position = least
        }
    }

    @usableFromInline
    mutating func exchange(_ left: Int, _ right: Int) {
        heap.swapAt(left, right)
        heap[left].element.timerPosition = left
        heap[right].element.timerPosition = right
    }
}
