// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Engine
import Synchronization

/// A moment of one of the clocks, so that tests can write `.noon + 500` for each of them.
public protocol Moment: Sendable {
    /// So many milliseconds after the clock's beginning.
    static func after(_ milliseconds: Int64) -> Self
    /// The moment so many milliseconds later.
    func adding(milliseconds: Int64) -> Self
}

extension Moment {
    /// When tests take place.
    public static var noon: Self { after(1_800_000_000_000) }

    /// The moment so many milliseconds later.
    public static func + (left: Self, right: Int64) -> Self { left.adding(milliseconds: right) }
    /// The moment so many milliseconds earlier.
    public static func - (left: Self, right: Int64) -> Self { left.adding(milliseconds: -right) }
    /// Moves so many milliseconds on.
    public static func += (left: inout Self, right: Int64) { left = left + right }
}

extension WallTime: Moment {
    public static func after(_ milliseconds: Int64) -> Self { Self(milliseconds: milliseconds) }
}

extension DueTime: Moment {
    public static func after(_ milliseconds: Int64) -> Self { Self(milliseconds: milliseconds) }
}

extension MonotonicTime: Moment {
    public static func after(_ milliseconds: Int64) -> Self { Self(nanoseconds: UInt64(milliseconds) * 1_000_000) }
}

extension ClockReading: Moment {
    public static func after(_ milliseconds: Int64) -> Self {
        Self(wall: .after(milliseconds), monotonic: .after(milliseconds), due: .after(milliseconds))
    }

    public func adding(milliseconds: Int64) -> Self {
        Self(wall: wall + milliseconds, monotonic: monotonic + milliseconds, due: due + milliseconds)
    }
}

/// Clocks that stand still unless a test turns them.
public final class TurnedClocks: Sendable {
    private let state = Mutex<(wall: WallTime, monotonic: MonotonicTime)>((.noon, .noon))

    /// Clocks at noon.
    public init() {}

    /// What a schedule reads.
    public var readings: ScheduleClock.Readings {
        ScheduleClock.Readings(
            wall: { self.state.withLock { $0.wall } },
            monotonic: { self.state.withLock { $0.monotonic } }
        )
    }

    /// Lets time pass.
    public func pass(_ milliseconds: Int64) {
        state.withLock {
            $0.wall += milliseconds
            $0.monotonic += milliseconds
        }
    }

    /// Sets the wall clock, which nothing but people does.
    public func setWall(_ time: WallTime) { state.withLock { $0.wall = time } }
}
