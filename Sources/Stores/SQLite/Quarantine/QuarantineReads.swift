// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite

/// The reader's statements for verdicts that wait, and for what guards know.
struct QuarantineReads {
    private let summary: Statement
    private let records: Statement
    private let suspects: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        summary = try Statement(
            """
            SELECT q.channel, q.reason, count(*), min(q.at), max(q.at)
            FROM quarantine q JOIN subscription s ON \(Schema.verdictStands)
            WHERE q.pipeline = ?1 AND NOT q.waits GROUP BY q.channel, q.reason ORDER BY q.channel, q.reason LIMIT 1000
            """,
            on: connection
        )
        records = try Statement(
            "SELECT channel, removals, doubted, waiting, results, verdicts FROM token_guard WHERE pipeline = ?1",
            on: connection
        )
        suspects = try Statement(
            "SELECT subscription FROM quarantine WHERE pipeline = ?1 AND channel = ?2 LIMIT ?3",
            on: connection
        )
    }

    func guards(_ pipeline: PipelineNumber) throws(SQLiteError) -> [String: KnownGuard] {
        records.bind(Int64(pipeline.rawValue), at: 1)
        defer { records.reset() }
        var guards: [String: KnownGuard] = [:]
        while try records.step() {
            let channel = records.text(0)
            // What is damaged counts as no removal: the next ones wait all the same once there are three.
            let removals = (try? NumberListCodec.decode(records.bytes(1), atMost: 100)) ?? []
            let record = InvalidTokenRecord(
                removals: removals.map(DueTime.init(milliseconds:)),
                doubtedSince: records.optionalDueTime(2),
                waitingSince: records.optionalDueTime(3),
                results: Int(records.integer(4)),
                verdicts: Int(records.integer(5))
            )
            guards[channel] = KnownGuard(record: record, suspects: try suspects(of: channel, in: pipeline))
        }
        return guards
    }

    private func suspects(of channel: String, in pipeline: PipelineNumber) throws(SQLiteError) -> [Int64] {
        suspects.bind(Int64(pipeline.rawValue), at: 1)
        suspects.bind(channel, at: 2)
        suspects.bind(Int64(KnownGuard.mostSuspects) + 1, at: 3)
        defer { suspects.reset() }
        var found: [Int64] = []
        while try suspects.step() { found.append(suspects.integer(0)) }
        return found
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
