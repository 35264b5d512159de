// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A moment as people, banks and providers see it: milliseconds since 1970, UTC.
///
/// For what is stored, shown or told (acceptance, expiry, tokens, timelines), never for waiting: the clock behind it
/// is set forwards and back by people and by NTP. What waits does so on ``MonotonicTime``.
///
/// Arithmetic saturates: a moment beyond the end of time is the end of time.
@frozen
public struct WallTime: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// Wraps milliseconds since 1970.
    @inlinable
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Wraps seconds since 1970.
    public init(seconds: Int64) {
        milliseconds = WallTime(milliseconds: 0).adding(seconds: seconds).milliseconds
    }

    /// 1970-01-01T00:00:00Z.
    @inlinable public static var epoch: Self { Self(milliseconds: 0) }
    /// Before all others.
    @inlinable public static var distantPast: Self { Self(milliseconds: .min) }
    /// After all others.
    @inlinable public static var distantFuture: Self { Self(milliseconds: .max) }

    /// What the system's clock says now; on any thread, without waiting.
    public static func now() -> Self {
        let (seconds, nanoseconds) = SystemClock.read(CLOCK_REALTIME)
        return Self(milliseconds: Int64(seconds) * 1_000 + Int64(nanoseconds) / 1_000_000)
    }

    /// Whole seconds since 1970, rounded down: what JWTs and `apns-expiration` count in.
    public var seconds: Int64 { milliseconds / 1_000 - (milliseconds % 1_000 < 0 ? 1 : 0) }

    /// The moment so many milliseconds later; earlier where they are negative.
    @inlinable
    public func adding(milliseconds duration: Int64) -> Self {
        let (sum, isOver) = milliseconds.addingReportingOverflow(duration)
        return isOver ? (duration > 0 ? .distantFuture : .distantPast) : Self(milliseconds: sum)
    }

    /// The moment so many seconds later; earlier where they are negative.
    public func adding(seconds: Int64) -> Self {
        let (duration, isOver) = seconds.multipliedReportingOverflow(by: 1_000)
        return adding(milliseconds: isOver ? (seconds > 0 ? .max : .min) : duration)
    }

    /// How many milliseconds this is after another moment; negative where it is before.
    @inlinable
    public func milliseconds(since other: Self) -> Int64 {
        let (difference, isOver) = milliseconds.subtractingReportingOverflow(other.milliseconds)
        return isOver ? (milliseconds > other.milliseconds ? .max : .min) : difference
    }

    /// Whether this is before another moment.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}
