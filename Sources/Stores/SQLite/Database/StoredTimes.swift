// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// How moments are stored: as milliseconds of their clock.
extension Statement {
    /// Binds a moment of the wall clock.
    func bind(_ time: WallTime, at position: Int32) { bind(time.milliseconds, at: position) }
    /// Binds a moment of the wall clock, or NULL.
    func bind(_ time: WallTime?, at position: Int32) { bind(time?.milliseconds, at: position) }
    /// Binds a moment of the schedule clock.
    func bind(_ time: DueTime, at position: Int32) { bind(time.milliseconds, at: position) }
    /// Binds a moment of the schedule clock, or NULL.
    func bind(_ time: DueTime?, at position: Int32) { bind(time?.milliseconds, at: position) }

    /// Reads a moment of the wall clock.
    func wallTime(_ column: Int32) -> WallTime { WallTime(milliseconds: integer(column)) }
    /// Reads a moment of the wall clock; `nil` for NULL.
    func optionalWallTime(_ column: Int32) -> WallTime? { optionalInteger(column).map(WallTime.init(milliseconds:)) }
    /// Reads a moment of the schedule clock.
    func dueTime(_ column: Int32) -> DueTime { DueTime(milliseconds: integer(column)) }
    /// Reads a moment of the schedule clock; `nil` for NULL.
    func optionalDueTime(_ column: Int32) -> DueTime? { optionalInteger(column).map(DueTime.init(milliseconds:)) }
}
