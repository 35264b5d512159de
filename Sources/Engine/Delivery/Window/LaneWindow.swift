// SPDX-License-Identifier: Apache-2.0

import Bus
import Collections

/// What of a lane is in memory, and what of that is ready; the rest waits in the ledger.
final class LaneWindow {
    /// Accepted while a page is read, at most so many wait for its end.
    private static let mostLate = 512

    let lane: Queue.Lane
    /// Deliveries in memory at most.
    let capacity: Int
    private let table: DeliveryTable
    /// Deliveries in memory.
    private(set) var count = 0
    /// Those being resolved or under way.
    var active = 0
    /// Those being resolved.
    var resolving = 0
    private(set) var ready = ReadyQueue()
    var cursor = PageCursor()
    /// Whether older ones than what is accepted now are in the ledger only: what is new goes behind them.
    private var isBehind = true
    /// What was accepted while a page was read, which may end with the older ones.
    private var late: [InFlightDelivery] = []

    init(_ lane: Queue.Lane, capacity: Int, table: DeliveryTable) {
        self.lane = lane
        self.capacity = capacity
        self.table = table
    }

    /// How many more may be in memory.
    var room: Int { capacity - count }

    /// Takes what was just accepted; what has no room, or would overtake what had none, stays in the ledger.
    func admit(
        _ notification: OutgoingNotification,
        _ deliveries: [(sequence: Int64, recipient: RecipientID)],
        fallback: MonotonicTime?
    ) {
        for (sequence, recipient) in deliveries {
            let isLate = isBehind
            guard isLate ? cursor.isLoading && late.count < Self.mostLate : count < capacity else {
                return fallBehind()
            }
            let delivery = InFlightDelivery(sequence, notification, recipient, lane: lane, fallback: fallback)
            if isLate { late.append(delivery) } else { enter(delivery) }
        }
    }

    /// Takes a page that the ledger read.
    ///
    /// Where there is more and the page brought nothing new, it is asked again at `retryAfter`, not at once: what it
    /// showed may be damaged.
    func take(_ page: DuePage, retryAfter: MonotonicTime, at now: ClockReading) {
        let evicted = cursor.end()
        if let due = page.nextDue { cursor.noteDue(now.monotonic(at: due)) }
        let before = count
        for place in page.deliveries.indices where !evicted.contains(page.deliveries[place].sequence) {
            guard count < capacity else {
                fallBehind()
                break
            }
            if table[page.deliveries[place].sequence] == nil {
                enter(InFlightDelivery(page.deliveries[place], lane: lane, at: now))
            }
        }
        guard page.hasMore else { return catchUp(without: evicted) }
        if count > before { cursor.spill() } else { cursor.noteDue(retryAfter) }
    }

    /// Notes that a page could not be read.
    func failed(retryAfter: MonotonicTime) {
        _ = cursor.end()
        cursor.noteDue(retryAfter)
        late = []
    }

    /// How long a page is wanted now; `nil` where none is.
    ///
    /// A page begins at the head of the queue, where those in memory stand: it is longer by their number.
    func wantedPage(at now: MonotonicTime) -> Int? {
        guard cursor.wantsPage(at: now), count <= capacity / 2 else { return nil }
        cursor.begin()
        return count + capacity / 2
    }

    /// Takes one into memory, ready for its turn.
    func enter(_ delivery: InFlightDelivery) {
        keep(delivery)
        ready.append(delivery)
    }

    /// Takes one into memory that has no turn any more.
    func keep(_ delivery: InFlightDelivery) {
        table.insert(delivery)
        count += 1
    }

    /// Lets one go; returns whether it was in memory.
    func evict(_ delivery: InFlightDelivery) -> Bool {
        table.timers.remove(delivery)
        guard table.remove(delivery) else { return false }
        count -= 1
        cursor.noteEvicted(delivery.sequence)
        return true
    }

    /// Notes that one that was accepted while a page was read is closed already.
    func dropLate(_ sequence: Int64) {
        late.removeAll { $0.sequence == sequence }
        cursor.noteEvicted(sequence)
    }

    /// Gives one its turn: one that had it before goes before all that had none.
    func makeReady(_ delivery: InFlightDelivery, first: Bool = false) {
        delivery.phase = .ready
        if first { ready.prepend(delivery) } else { ready.append(delivery) }
    }

    /// Notes that one that was ready became something else.
    func lostReady() { ready.lostOne() }

    /// Takes the next that is ready.
    func popReady() -> InFlightDelivery? {
        while let delivery = ready.popFirst() { if delivery.phase == .ready { return delivery } }
        return nil
    }

    /// Leaves what is accepted to the ledger until all that is older was read.
    private func fallBehind() {
        cursor.spill()
        isBehind = true
        late = []
    }

    /// Goes on with what is accepted: a page ended with the last of what is older.
    private func catchUp(without evicted: PageCursor.Evicted) {
        guard !cursor.isSpilled else { return }
        isBehind = false
        let found = late
        late = []
        for delivery in found where !evicted.contains(delivery.sequence) && table[delivery.sequence] == nil {
            enter(delivery)
        }
    }
}
