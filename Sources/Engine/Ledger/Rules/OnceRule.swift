// SPDX-License-Identifier: Apache-2.0

package import Bus

/// How long a key that is used once stays taken: pure, on any thread.
package enum OnceRule {
    /// The longest that one is kept, whatever its caller says, in milliseconds: a day.
    package static let longestKept: Int64 = 86_400_000

    /// When a key may be forgotten that is to be kept until a moment of the wall clock.
    package static func end(_ until: WallTime, now: ClockReading) -> DueTime {
        now.due.adding(milliseconds: min(max(until.milliseconds(since: now.wall), 0), longestKept))
    }

    /// Whether a key that may be forgotten then is still taken.
    package static func isTaken(until end: DueTime, now: DueTime) -> Bool { now <= end }
}
