// SPDX-License-Identifier: Apache-2.0

/// A queue that is cheap at both ends; a ring that grows.
struct Deque<Element> {
    private var slots: [Element?] = []
    private var head = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ element: Element) {
        if count == slots.count { grow() }
        slots[(head + count) & (slots.count - 1)] = element
        count += 1
    }

    mutating func prepend(_ element: Element) {
        if count == slots.count { grow() }
        head = (head - 1) & (slots.count - 1)
        slots[head] = element
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = slots[head]
        slots[head] = nil
        head = (head + 1) & (slots.count - 1)
        count -= 1
        return element
    }

    /// Doubles the ring; its size stays a power of two, so that an index wraps with a mask.
    private mutating func grow() {
        var wider = [Element?](repeating: nil, count: Swift.max(16, slots.count * 2))
        for index in 0..<count { wider[index] = slots[(head + index) & (slots.count - 1)] }
        slots = wider
        head = 0
    }
}
extension Deque: Sendable where Element: Sendable {}
