// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Engine
import SQLite

extension SQLiteLedger {
    /// Brings what waits longer than until a moment forward to it.
    public func capWaits(_ pipeline: PipelineNumber, at latest: DueTime, completion: @escaping Completion<Void>) {
        write(completion) { statements throws(SQLiteError) in try statements.waitCap.apply(pipeline, at: latest) }
    }

    /// Says how fine the signs of a pipeline's subscriptions are kept, in milliseconds.
    public func keepLastSeen(
        _ pipeline: PipelineNumber,
        every interval: Int64,
        completion: @escaping Completion<Void>
    ) {
        write(completion) { statements throws(SQLiteError) in
            try statements.upkeep.keepLastSeen(pipeline, every: interval)
        }
    }

    /// Ends subscriptions whose last sign is older than `before`, at most `limit`; returns how many ended.
    public func endSilent(
        _ pipeline: PipelineNumber,
        before: WallTime,
        limit: Int,
        completion: @escaping Completion<Int>
    ) {
        write(isUrgent: false, completion) { statements throws(SQLiteError) in
            try statements.upkeep.endSilent(pipeline, before: before, limit: limit)
        }
    }

    /// Looks after notifications whose time has passed, at most `limit`; returns how many there were.
    public func conclude(
        _ pipeline: PipelineNumber,
        now: WallTime,
        limit: Int,
        completion: @escaping Completion<Int>
    ) {
        write(isUrgent: false, completion) { statements throws(SQLiteError) in
            try statements.aftermath.concludePassed(pipeline, now: now, limit: limit)
        }
    }

    /// Deletes old notifications, about `limit` rows from a place on; returns where to go on.
    public func forget(
        before: WallTime,
        from place: RetentionPlace,
        limit: Int,
        completion: @escaping Completion<RetentionPlace?>
    ) {
        write(isUrgent: false, completion) { statements throws(SQLiteError) in
            try statements.retention.forget(before: before, from: place, limit: limit)
        }
    }
}
