// SPDX-License-Identifier: Apache-2.0

import Collections

/// Deliveries in memory that wait for a channel, in the order they came.
///
/// Those that leave the line otherwise (they expire) are told so, and their places are swept up now and then.
struct WaitingLine {
    private var line = Deque<InFlightDelivery>()
    /// Those that really wait.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    /// Those that wait, and the places of those that left.
    var places: Int { line.count }

    mutating func append(_ delivery: InFlightDelivery) {
        line.append(delivery)
        count += 1
    }

    /// Takes the next that waits for the channel.
    mutating func popFirst(for gate: ChannelGate) -> InFlightDelivery? {
        while let delivery = line.popFirst() {
            guard delivery.isBlocked(by: gate) else { continue }
            count -= 1
            return delivery
        }
        return nil
    }

    /// Notes that one left without being called; it waits no longer.
    mutating func lostOne(of gate: ChannelGate) {
        count -= 1
        guard line.count > 2 * count + 64 else { return }
        var kept = Deque<InFlightDelivery>()
        while let delivery = line.popFirst() { if delivery.isBlocked(by: gate) { kept.append(delivery) } }
        line = kept
    }
}
