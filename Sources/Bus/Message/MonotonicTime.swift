// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A moment of the clock that nobody can set: for waits, deadlines, limits and measuring.
///
/// Nanoseconds of Linux's `CLOCK_MONOTONIC`. It means nothing after a restart of the process, so it is never stored;
/// what is stored or shown is a ``WallTime``.
///
/// Arithmetic saturates: a moment beyond the end of time is the end of time.
@frozen
public struct MonotonicTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since a moment that differs from machine to machine.
    public let nanoseconds: UInt64

    /// Wraps nanoseconds of the monotonic clock.
    @inlinable
    public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// Before all others.
    @inlinable public static var distantPast: Self { Self(nanoseconds: 0) }
    /// After all others.
    @inlinable public static var distantFuture: Self { Self(nanoseconds: .max) }

    /// What the clock says now; on any thread, without waiting.
    public static func now() -> Self {
        let (seconds, nanoseconds) = SystemClock.read(CLOCK_MONOTONIC)
        return Self(nanoseconds: UInt64(seconds) * 1_000_000_000 + UInt64(nanoseconds))
    }

    /// The moment so many nanoseconds later.
    @inlinable
    public func adding(nanoseconds duration: UInt64) -> Self {
        let (sum, isOver) = nanoseconds.addingReportingOverflow(duration)
        return isOver ? .distantFuture : Self(nanoseconds: sum)
    }

    /// The moment so many milliseconds later; earlier where they are negative.
    @inlinable
    public func adding(milliseconds duration: Int64) -> Self {
        let (length, isOver) = duration.magnitude.multipliedReportingOverflow(by: 1_000_000)
        if duration >= 0 { return isOver ? .distantFuture : adding(nanoseconds: length) }
        return isOver || length > nanoseconds ? .distantPast : Self(nanoseconds: nanoseconds - length)
    }

    /// How many whole milliseconds this is after another moment, rounded down towards it; negative where it is before.
    @inlinable
    public func milliseconds(since other: Self) -> Int64 {
        self >= other
            ? Int64((nanoseconds - other.nanoseconds) / 1_000_000)
            : -Int64((other.nanoseconds - nanoseconds) / 1_000_000)
    }

    /// How many nanoseconds this is after another moment; 0 where it is before.
    @inlinable
    public func nanoseconds(since other: Self) -> UInt64 {
        self >= other ? nanoseconds - other.nanoseconds : 0
    }

    /// Whether this is before another moment.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
}
