// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite

/// The writer's statements that bring forward what was stored by a clock that was wrong.
struct WaitCap {
    private let walk: QueueWalk
    private let deliveries: Statement
    private let lines: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        walk = try QueueWalk(connection)
        // One priority at a time, so that what is due later is one stretch of the index.
        deliveries = try prepare(
            "UPDATE delivery SET due = ?3 WHERE open AND queue = ?1 AND priority = ?2 AND due > ?3"
        )
        lines = try prepare(
            "UPDATE callback_line SET due = ?2 WHERE due > ?2 AND link IN (SELECT number FROM link WHERE pipeline = ?1)"
        )
    }

    func apply(_ pipeline: PipelineNumber, at latest: DueTime) throws(SQLiteError) {
        for queue in try walk.queues(of: pipeline) {
            for priority in Priorities.descending {
                deliveries.bind(queue.key, at: 1)
                deliveries.bind(priority, at: 2)
                deliveries.bind(latest, at: 3)
                try deliveries.run()
            }
        }
        lines.bind(Int64(pipeline.rawValue), at: 1)
        lines.bind(latest, at: 2)
        try lines.run()
    }
}
