// SPDX-License-Identifier: Apache-2.0

import Bus

/// A delivery on its way; a reference to its batch, so that nothing is copied.
struct InFlightPush {
    let batch: Batch
    let index: Int
    /// Which pool took it.
    var generation = 0
    /// Which credential it shows.
    var version = 0
    /// Whether the channel sends it for the second time by itself.
    var isRepeat = false

    var delivery: Delivery { batch.deliveries[index] }
}

/// Which request is whose: numbered places, used again and again.
struct InFlightPushes {
    private var places: [InFlightPush?] = []
    private var free: [Int] = []

    /// Whether nothing is on its way.
    var isEmpty: Bool { free.count == places.count }

    /// Keeps a push; returns the tag its result will bear.
    mutating func add(_ push: InFlightPush) -> UInt64 {
        guard let place = free.popLast() else {
            places.append(push)
            return UInt64(places.count - 1)
        }
        places[place] = push
        return UInt64(place)
    }

    /// Gives a push back when its result is there.
    mutating func take(_ tag: UInt64) -> InFlightPush? {
        guard let place = Int(exactly: tag), places.indices.contains(place), let push = places[place].take() else {
            return nil
        }
        free.append(place)
        return push
    }
}
