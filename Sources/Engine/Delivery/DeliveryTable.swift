// SPDX-License-Identifier: Apache-2.0

import Collections

/// The deliveries in memory, the attempts on them that are under way, and when they want to be looked at.
final class DeliveryTable {
    private var deliveries = NumberTable<InFlightDelivery>()
    var attempts = Slab<DeliveryAttempt>()
    var timers = TimerHeap<InFlightDelivery>()

    /// Deliveries in memory.
    var count: Int { deliveries.count }

    /// The delivery of a number, where it is in memory.
    subscript(sequence: Int64) -> InFlightDelivery? { deliveries[sequence] }

    func insert(_ delivery: InFlightDelivery) { deliveries.insert(delivery) }
    /// Takes one out; returns whether it was in.
    func remove(_ delivery: InFlightDelivery) -> Bool { deliveries.remove(delivery) }
}
