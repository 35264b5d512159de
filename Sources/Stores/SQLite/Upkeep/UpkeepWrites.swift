// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for subscriptions that went silent.
struct UpkeepWrites {
    private let connection: Connection
    private let keepLastSeen: Statement
    private let endSilent: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        keepLastSeen = try Statement("UPDATE pipeline SET sign_interval = ?2 WHERE number = ?1", on: connection)
        endSilent = try Statement(
            """
            DELETE FROM subscription WHERE seq IN (
                SELECT seq FROM subscription WHERE pipeline = ?1 AND \(SubscriptionSigns.last) < ?2
                ORDER BY \(SubscriptionSigns.last) LIMIT ?3
            )
            """,
            on: connection
        )
    }

    func keepLastSeen(_ pipeline: PipelineNumber, every interval: Int64) throws(SQLiteError) {
        keepLastSeen.bind(Int64(pipeline.rawValue), at: 1)
        keepLastSeen.bind(interval, at: 2)
        try keepLastSeen.run()
    }

    /// Returns how many ended.
    func endSilent(_ pipeline: PipelineNumber, before: WallTime, limit: Int) throws(SQLiteError) -> Int {
        endSilent.bind(Int64(pipeline.rawValue), at: 1)
        endSilent.bind(before, at: 2)
        endSilent.bind(Int64(limit), at: 3)
        try endSilent.run()
        return connection.changes
    }
}
