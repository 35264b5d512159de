// SPDX-License-Identifier: Apache-2.0

/// Which request is whose: numbered places, used again and again.
public struct Flights<Flight> {
    @usableFromInline var places: [Flight?] = []
    @usableFromInline var free: [Int] = []

    /// Starts with nothing on its way.
    @inlinable
    public init() {}

    /// Whether nothing is on its way.
    @inlinable
    public var isEmpty: Bool { free.count == places.count }

    /// Keeps a flight; returns the tag its result will bear.
    @inlinable
    public mutating func add(_ flight: Flight) -> UInt64 {
        guard let place = free.popLast() else {
            places.append(flight)
            return UInt64(places.count - 1)
        }
        places[place] = flight
        return UInt64(place)
    }

    /// Gives a flight back when its result is there.
    @inlinable
    public mutating func take(_ tag: UInt64) -> Flight? {
        guard let place = Int(exactly: tag), places.indices.contains(place), let flight = places[place] else {
            return nil
        }
        places[place] = nil
        free.append(place)
        return flight
    }
}
