// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite

/// The writer's statements for verdicts that wait for an operator.
struct QuarantineWrites {
    private let connection: Connection
    private let insert: Statement
    private let page: Statement
    private let end: Statement
    private let drop: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        insert = try prepare(
            """
            INSERT INTO quarantine (subscription, pipeline, channel, token, registered_until, reason, at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO UPDATE SET channel = excluded.channel,
                token = excluded.token, registered_until = excluded.registered_until, reason = excluded.reason,
                at = excluded.at
            """
        )
        page = try prepare(
            """
            SELECT q.subscription, EXISTS (SELECT 1 FROM subscription s WHERE \(Schema.verdictStands))
            FROM quarantine q WHERE q.pipeline = ?1 AND q.channel = ?2 LIMIT ?3
            """
        )
        end = try prepare("DELETE FROM subscription WHERE seq = ?1")
        drop = try prepare("DELETE FROM quarantine WHERE subscription = ?1")
    }

    func keep(_ verdicts: [DeadAddress], by channel: String, in pipeline: PipelineNumber) throws(SQLiteError) {
        for verdict in verdicts {
            insert.bind(verdict.end.subscription, at: 1)
            insert.bind(Int64(pipeline.rawValue), at: 2)
            insert.bind(channel, at: 3)
            insert.bind(verdict.end.onlyToken, at: 4)
            insert.bind(verdict.end.registeredUntil, at: 5)
            insert.bind(verdict.reason, at: 6)
            insert.bind(verdict.at, at: 7)
            try insert.run()
        }
    }

    /// What one transaction took out of a quarantine.
    struct Piece: Sendable {
        /// The verdicts that stood.
        let stood: Int
        /// Whether there may be more.
        let hasMore: Bool
    }

    // A few milliseconds' work.
    private static let piece = 250

    /// Takes verdicts of a channel out, and ends the subscriptions of those that stand where `ends`.
    func take(of channel: String, in pipeline: PipelineNumber, ends: Bool) throws(SQLiteError) -> Piece {
        var found: [(subscription: Int64, stands: Bool)] = []
        page.bind(Int64(pipeline.rawValue), at: 1)
        page.bind(channel, at: 2)
        page.bind(Int64(Self.piece), at: 3)
        while try page.step() { found.append((page.integer(0), page.integer(1) == 1)) }
        page.reset()
        for (subscription, stands) in found {
            if ends, stands {
                end.bind(subscription, at: 1)
                try end.run()
            }
            drop.bind(subscription, at: 1)
            try drop.run()
        }
        return Piece(stood: found.count { $0.stands }, hasMore: found.count == Self.piece)
    }
}
