// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite

/// The reader's statement for verdicts that wait.
struct QuarantineReads {
    private let summary: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        summary = try Statement(
            """
            SELECT q.channel, q.reason, count(*), min(q.at), max(q.at)
            FROM quarantine q JOIN subscription s ON \(Schema.verdictStands)
            WHERE q.pipeline = ?1 GROUP BY q.channel, q.reason ORDER BY q.channel, q.reason LIMIT 1000
            """,
            on: connection
        )
    }

    func summaries(_ pipeline: PipelineNumber) throws(SQLiteError) -> [QuarantineSummary] {
        summary.bind(Int64(pipeline.rawValue), at: 1)
        defer { summary.reset() }
        var found: [QuarantineSummary] = []
        while try summary.step() {
            found.append(
                QuarantineSummary(
                    channel: summary.text(0),
                    reason: summary.text(1),
                    count: Int(summary.integer(2)),
                    first: summary.wallTime(3),
                    last: summary.wallTime(4)
                )
            )
        }
        return found
    }
}
