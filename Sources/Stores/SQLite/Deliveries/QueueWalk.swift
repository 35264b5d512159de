// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite

/// Finds the queues that hold something, from one to the next, however long they are.
struct QueueWalk {
    private let next: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        next = try Statement(
            "SELECT queue FROM delivery WHERE open AND queue > ?1 ORDER BY queue LIMIT 1",
            on: connection
        )
    }

    /// The queues of a pipeline that hold something.
    func queues(of pipeline: PipelineNumber) throws(SQLiteError) -> [Queue] {
        var found: [Queue] = []
        var key: Int64 = -1
        while let following = try self.key(after: key) {
            key = following
            if let queue = Queue(key: key), queue.pipeline == pipeline { found.append(queue) }
        }
        return found
    }

    private func key(after key: Int64) throws(SQLiteError) -> Int64? {
        next.bind(key, at: 1)
        defer { next.reset() }
        return try next.step() ? next.integer(0) : nil
    }
}
