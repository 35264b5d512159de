// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Engine
import SQLite

extension SQLiteLedger {
    /// Keeps that an item of a pipeline is stopped, or forgets it.
    public func setPause(
        _ isPaused: Bool,
        of item: String,
        in pipeline: PipelineNumber,
        at now: WallTime,
        completion: @escaping Completion<Void>
    ) {
        write(completion) { statements throws(SQLiteError) in
            try statements.pauses.set(isPaused, of: item, in: pipeline, at: now)
            statements.events.add(.paused(item: item, isPaused), in: pipeline)
        }
    }

    /// Reads the items of a pipeline that are stopped, and since when.
    public func pauses(in pipeline: PipelineNumber, completion: @escaping Completion<[String: WallTime]>) {
        read(for: .pages, completion) { try $0.pauses.pauses(in: pipeline) }
    }

    /// Counts what banks are still to hear, by link.
    public func waitingCallbacks(
        _ links: [LinkNumber],
        completion: @escaping Completion<[LinkNumber: Int]>
    ) {
        read(for: .pages, completion) { statements in
            var counts: [LinkNumber: Int] = [:]
            for link in links { counts[link] = try statements.callbacks.waiting(link) }
            return counts
        }
    }
}
