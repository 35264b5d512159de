// SPDX-License-Identifier: Apache-2.0

import Bus

/// The time of day as a provider has confirmed it.
///
/// People and NTP set the wall clock, forwards and back, rightly and wrongly. Once a provider has accepted a token
/// that states a time, that time is proven, and the monotonic clock carries it on: a step of the wall clock then
/// changes nothing, until the provider refuses a token for its age. (A machine that slept is such a case.)
struct ProvenClock {
    /// What both clocks say at one moment.
    struct Reading: Sendable, Equatable {
        let wall: WallTime
        let monotonic: MonotonicTime

        /// What they say now.
        static func now() -> Self { Self(wall: .now(), monotonic: .now()) }
    }

    /// Drift and small corrections, in milliseconds: the wall clock is then the better one.
    private static let tolerance: Int64 = 60_000

    private var proven: Reading?

    /// The time, by the proven clock where the wall clock differs from it.
    func time(_ now: Reading) -> WallTime {
        guard let proven else { return now.wall }
        let carried = proven.wall.adding(milliseconds: now.monotonic.milliseconds(since: proven.monotonic))
        return abs(now.wall.milliseconds(since: carried)) <= Self.tolerance ? now.wall : carried
    }

    /// A provider accepted what was made by this reading.
    mutating func confirm(_ reading: Reading) { proven = reading }

    /// A provider refused what was made by this clock: the wall clock counts again.
    mutating func refute() { proven = nil }
}
