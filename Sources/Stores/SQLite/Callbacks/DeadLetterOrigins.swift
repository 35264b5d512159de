// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite

/// The writer's statement for where the dead letter of a text message came from.
struct DeadLetterOrigins {
    private let find: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        find = try Statement(
            """
            SELECT d.channel, n.pipeline FROM dead_letter d JOIN notification n ON n.seq = d.notification
            WHERE d.seq = ?1 AND d.channel IS NOT NULL
            """,
            on: connection
        )
    }

    /// The channel that refused it, and its pipeline; `nil` where there is no such letter of a text message.
    func origin(of letter: Int64) throws(SQLiteError) -> (channel: String, pipeline: PipelineNumber)? {
        find.bind(letter, at: 1)
        defer { find.reset() }
        guard try find.step() else { return nil }
        return (find.text(0), PipelineNumber(rawValue: Int32(truncatingIfNeeded: find.integer(1))))
    }
}
