// SPDX-License-Identifier: Apache-2.0

import Bus

/// The wall clock for what cannot be undone: a jump forwards counts only once it has stood for a day.
///
/// A clock that is a month ahead for a second would otherwise end every subscription. One that is set back is believed
/// at once, for then less is removed.
struct ProvenWallTime {
    /// More than a clock that is kept by the network drifts between two looks.
    private static let tolerance: Int64 = 60_000
    private static let proof: Int64 = 86_400_000

    private var believed: WallTime
    private var at: MonotonicTime
    private var doubtedSince: MonotonicTime?

    /// Believes what the clock says at the start.
    init(_ wall: WallTime, at now: MonotonicTime) { (believed, at) = (wall, now) }

    /// Whether the clock is ahead of what has passed.
    var isInDoubt: Bool { doubtedSince != nil }

    /// The time to go by, where the clock says `wall` now.
    mutating func time(_ wall: WallTime, at now: MonotonicTime) -> WallTime {
        let expected = believed.adding(milliseconds: now.milliseconds(since: at))
        let since = doubtedSince ?? now
        if wall > expected.adding(milliseconds: Self.tolerance), now.milliseconds(since: since) < Self.proof {
            doubtedSince = since
            return expected
        }
        (believed, at, doubtedSince) = (wall, now, nil)
        return wall
    }
}
