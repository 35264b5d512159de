// SPDX-License-Identifier: Apache-2.0

/// A place in a ``Slab``, and how often the place was taken: a ticket of what is gone finds nothing.
struct Ticket: Hashable, Sendable {
    let rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    fileprivate init(slot: Int, generation: UInt32) { rawValue = UInt64(generation) << 32 | UInt64(slot) }

    fileprivate var slot: Int { Int(truncatingIfNeeded: rawValue & 0xffff_ffff) }
    fileprivate var generation: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) }
}

/// Holds what is under way, and finds each again by its ticket without hashing.
struct Slab<Element> {
    private var elements: ContiguousArray<Element?> = []
    /// How often each place was taken; from 1, so that no ticket is 0.
    private var generations: ContiguousArray<UInt32> = []
    private var free: ContiguousArray<Int> = []

    /// How many there are.
    var count: Int { elements.count - free.count }
    var isEmpty: Bool { count == 0 }

    /// What a ticket stands for; `nil` where it is gone.
    subscript(ticket: Ticket) -> Element? { isHeld(ticket) ? elements[ticket.slot] : nil }

    mutating func insert(_ element: Element) -> Ticket {
        if let slot = free.popLast() {
            elements[slot] = element
            return Ticket(slot: slot, generation: generations[slot])
        }
        elements.append(element)
        generations.append(1)
        return Ticket(slot: elements.count - 1, generation: 1)
    }

    /// Takes out what a ticket stands for; `nil` where it is gone.
    mutating func remove(_ ticket: Ticket) -> Element? {
        guard isHeld(ticket) else { return nil }
        let element = elements[ticket.slot].take()
        generations[ticket.slot] &+= 1
        free.append(ticket.slot)
        return element
    }

    /// Changes what a ticket stands for, where it is there.
    mutating func update(_ ticket: Ticket, _ change: (inout Element) -> Void) {
        guard isHeld(ticket), var element = elements[ticket.slot].take() else { return }
        change(&element)
        elements[ticket.slot] = element
    }

    /// The tickets of all that are as asked.
    func tickets(where isMeant: (Element) -> Bool) -> [Ticket] {
        elements.indices.compactMap { slot in
            guard let element = elements[slot], isMeant(element) else { return nil }
            return Ticket(slot: slot, generation: generations[slot])
        }
    }

    func contains(where isMeant: (Element) -> Bool) -> Bool { elements.contains { $0.map(isMeant) ?? false } }

    private func isHeld(_ ticket: Ticket) -> Bool {
        ticket.slot < generations.count && generations[ticket.slot] == ticket.generation
            && elements[ticket.slot] != nil
    }
}
