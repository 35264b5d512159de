// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2

/// Deliveries that were handed over together, and where to tell what became of them.
final class Batch: Sendable {
    let deliveries: [Delivery]
    let sink: any DeliverySink

    init(_ deliveries: [Delivery], sink: any DeliverySink) {
        self.deliveries = deliveries
        self.sink = sink
    }
}

/// A delivery on its way; a reference to its batch, so that nothing is copied.
struct Flight {
    let batch: Batch
    let index: Int
    /// Which pool took it.
    let generation: Int
    /// Which token it shows.
    let version: Int
    /// Whether the channel sends it for the second time by itself.
    let isRepeat: Bool

    var delivery: Delivery { batch.deliveries[index] }
}

/// Which request is whose: numbered places, used again and again.
struct Flights {
    private var places: [Flight?] = []
    private var free: [Int] = []

    var isEmpty: Bool { free.count == places.count }

    /// Keeps a flight; returns the tag its result will bear.
    mutating func add(_ flight: Flight) -> UInt64 {
        guard let place = free.popLast() else {
            places.append(flight)
            return UInt64(places.count - 1)
        }
        places[place] = flight
        return UInt64(place)
    }

    /// Gives a flight back when its result is there.
    mutating func take(_ tag: UInt64) -> Flight? {
        guard let place = Int(exactly: tag), places.indices.contains(place), let flight = places[place] else {
            return nil
        }
        places[place] = nil
        free.append(place)
        return flight
    }
}
