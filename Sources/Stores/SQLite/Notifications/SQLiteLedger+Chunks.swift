// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Engine
import SQLite

extension SQLiteLedger {
    /// Makes the next deliveries, at most so many, of what waits in chunks for a queue.
    public func expand(_ queue: Queue, room: Int, now: WallTime, completion: @escaping Completion<Expansion>) {
        let done: Completion<ChunkWrites.Step> = { [sweeps] result in
            // Now that it is committed: whoever sweeps from here on sees it.
            if case .success(let step) = result, let expires = step.expires {
                sweeps.arrived(queue.pipeline, expires: expires)
            }
            completion(result.map(\.expansion))
        }
        write(isUrgent: queue.lane == .urgent, done) { statements throws(SQLiteError) in
            try statements.expand(queue, room: room, now: now)
        }
    }

    /// Ends all of a notification that is not yet deliveries.
    public func cancel(
        _ id: NotificationID,
        in pipeline: PipelineNumber,
        at: WallTime,
        completion: @escaping Completion<Int?>
    ) {
        write(completion) { statements throws(SQLiteError) in
            guard let (count, queue) = try statements.chunks.cancel(id, in: pipeline, at: at) else { return nil }
            if let queue { statements.events.add(.waiting(queue.lane, -count), in: pipeline) }
            return count
        }
    }

    /// Counts how far a notification is.
    public func progress(
        of id: NotificationID,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<NotificationProgress?>
    ) {
        read(for: .pages, completion) { try $0.chunks.progress(of: id, in: pipeline) }
    }
}
