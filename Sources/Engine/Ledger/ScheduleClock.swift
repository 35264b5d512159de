// SPDX-License-Identifier: Apache-2.0

public import Bus

/// The clock that stored waits are measured by: it runs as the monotonic clock does, and never goes back over restarts.
///
/// It starts where the wall clock stands, or where the ledger last saw it, whichever is later, and from then on takes
/// no notice of the wall clock. So a wait that was stored ends when it should, whoever sets the machine's clock in the
/// meantime, by how much and in which direction.
public struct ScheduleClock: Sendable {
    private let start: DueTime
    private let startedAt: MonotonicTime
    private let readings: Readings

    /// Where a clock reads the others.
    public struct Readings: Sendable {
        /// The clock that people set.
        public var wall: @Sendable () -> WallTime
        /// The clock that nobody sets.
        public var monotonic: @Sendable () -> MonotonicTime

        /// Reads other clocks than the system's: for tests.
        public init(
            wall: @escaping @Sendable () -> WallTime,
            monotonic: @escaping @Sendable () -> MonotonicTime
        ) {
            self.wall = wall
            self.monotonic = monotonic
        }

        /// The system's clocks.
        public static let system = Readings(wall: { .now() }, monotonic: { .now() })
    }

    /// Starts a clock; `last` is the latest reading that a ledger has stored, `nil` for a new ledger.
    public init(notBefore last: DueTime? = nil, readings: Readings = .system) {
        self.readings = readings
        startedAt = readings.monotonic()
        start = max(DueTime(milliseconds: readings.wall().milliseconds), last ?? .distantPast)
    }

    /// What all clocks say now; on any thread, without waiting.
    public func read() -> ClockReading {
        let monotonic = readings.monotonic()
        return ClockReading(
            wall: readings.wall(),
            monotonic: monotonic,
            due: start.adding(milliseconds: monotonic.milliseconds(since: startedAt))
        )
    }
}

/// What the clocks said at one moment, so that what is told of one can be said of the others.
public struct ClockReading: Sendable, Equatable {
    /// For what people and providers see.
    public let wall: WallTime
    /// For what waits in memory.
    public let monotonic: MonotonicTime
    /// For what waits in the ledger.
    public let due: DueTime

    /// Puts readings of one moment together.
    public init(wall: WallTime, monotonic: MonotonicTime, due: DueTime) {
        self.wall = wall
        self.monotonic = monotonic
        self.due = due
    }

    /// What the schedule clock says at a moment of the monotonic one.
    public func due(at time: MonotonicTime) -> DueTime {
        time == .distantFuture ? .distantFuture : due.adding(milliseconds: time.milliseconds(since: monotonic))
    }

    /// What the monotonic clock says at a moment of the schedule's.
    public func monotonic(at time: DueTime) -> MonotonicTime {
        time == .distantFuture ? .distantFuture : monotonic.adding(milliseconds: time.milliseconds(since: due))
    }

    /// What the schedule clock says at a moment of the wall clock, as that stands now.
    public func due(at time: WallTime) -> DueTime { due.adding(milliseconds: time.milliseconds(since: wall)) }

    /// What the monotonic clock says at a moment of the wall clock, as that stands now.
    public func monotonic(at time: WallTime) -> MonotonicTime {
        time == .distantFuture ? .distantFuture : monotonic.adding(milliseconds: time.milliseconds(since: wall))
    }

    /// What the wall clock says at a moment of the monotonic one, as it stands now.
    public func wall(at time: MonotonicTime) -> WallTime {
        time == .distantFuture ? .distantFuture : wall.adding(milliseconds: time.milliseconds(since: monotonic))
    }
}
