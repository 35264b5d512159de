// SPDX-License-Identifier: Apache-2.0

/// A queue that is cheap at both ends; a ring that grows.
public struct Deque<Element> {
    @usableFromInline var slots: [Element?] = []
    @usableFromInline var head = 0
    /// How many elements there are.
    @inlinable
    public var count: Int { used }
    @usableFromInline var used = 0

    /// Creates an empty one.
    @inlinable
    public init() {}

    /// Whether there are none.
    @inlinable
    public var isEmpty: Bool { count == 0 }

    /// The first element, which stays.
    @inlinable
    public var first: Element? { count == 0 ? nil : slots[head] }

    /// Puts one at the end.
    @inlinable
    public mutating func append(_ element: Element) {
        if count == slots.count { grow() }
        slots[(head + count) & (slots.count - 1)] = element
        used += 1
    }

    /// Puts one before all others.
    @inlinable
    public mutating func prepend(_ element: Element) {
        if count == slots.count { grow() }
        head = (head - 1) & (slots.count - 1)
        slots[head] = element
        used += 1
    }

    /// Takes the first one out.
    @inlinable
    public mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = slots[head].take()
        head = (head + 1) & (slots.count - 1)
        used -= 1
        return element
    }

    /// Doubles the ring; its size stays a power of two, so that an index wraps with a mask.
    @usableFromInline
    mutating func grow() {
        var wider = [Element?](repeating: nil, count: Swift.max(16, slots.count * 2))
        for index in 0..<count { wider[index] = slots[(head + index) & (slots.count - 1)] }
        slots = wider
        head = 0
    }
}

extension Deque: Sendable where Element: Sendable {}
