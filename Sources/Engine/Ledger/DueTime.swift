// SPDX-License-Identifier: Apache-2.0

/// A moment that work is put off to, as a ledger stores it: milliseconds of the ledger's ``ScheduleClock``.
///
/// Neither a ``WallTime``, which people set, nor a ``MonotonicTime``, which ends with the process. It is compared with
/// other due times only.
public struct DueTime: Hashable, Comparable, Sendable {
    /// Milliseconds of the schedule clock.
    public let milliseconds: Int64

    /// Wraps what a ledger stored.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Before all others.
    public static var distantPast: Self { Self(milliseconds: .min) }
    /// After all others.
    public static var distantFuture: Self { Self(milliseconds: .max) }

    /// The moment so many milliseconds later, earlier where they are negative, never beyond the end of time.
    public func adding(milliseconds duration: Int64) -> Self {
        let (sum, isOver) = milliseconds.addingReportingOverflow(duration)
        return isOver ? (duration > 0 ? .distantFuture : .distantPast) : Self(milliseconds: sum)
    }

    /// How many milliseconds this is after another moment; negative where it is before.
    public func milliseconds(since other: Self) -> Int64 {
        let (difference, isOver) = milliseconds.subtractingReportingOverflow(other.milliseconds)
        return isOver ? (milliseconds > other.milliseconds ? .max : .min) : difference
    }

    /// Whether this is before another moment.
    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}
