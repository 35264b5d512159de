// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for verdicts that wait to be judged, or for an operator.
struct QuarantineWrites {
    private let insert: Statement
    private let page: Statement
    private let drop: Statement
    private let stopWaiting: Statement
    private let writeGuard: Statement
    private let removed: RemovedSubscriptions

    init(_ connection: Connection, removed: RemovedSubscriptions) throws(SQLiteError) {
        self.removed = removed
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        insert = try prepare(
            """
            INSERT INTO quarantine (subscription, pipeline, channel, token, registered_until, reason, at, waits)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO UPDATE SET channel = excluded.channel,
                token = excluded.token, registered_until = excluded.registered_until, reason = excluded.reason,
                at = excluded.at, waits = excluded.waits
            """
        )
        page = try prepare(
            """
            SELECT q.subscription, q.token, q.registered_until, q.reason, q.at,
                s.token, s.token_at, s.last_success
            FROM quarantine q LEFT JOIN subscription s ON s.seq = q.subscription WHERE q.pipeline = ?1 AND q.channel = ?2 AND q.waits >= ?3 LIMIT ?4
            """
        )
        drop = try prepare("DELETE FROM quarantine WHERE subscription = ?1")
        stopWaiting = try prepare("UPDATE quarantine SET waits = 0 WHERE pipeline = ?1 AND channel = ?2 AND waits")
        writeGuard = try prepare(
            """
            INSERT OR REPLACE INTO token_guard (pipeline, channel, removals, doubted, waiting, results, verdicts)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        )
    }

    /// Keeps verdicts; a newer one takes the place of an older one of the same subscription.
    func keep(
        _ tokens: [InvalidToken],
        by channel: String,
        in pipeline: PipelineNumber,
        waits: Bool
    ) throws(SQLiteError) {
        for token in tokens {
            insert.bind(token.end.subscription, at: 1)
            insert.bind(Int64(pipeline.rawValue), at: 2)
            insert.bind(channel, at: 3)
            insert.bind(token.end.onlyToken, at: 4)
            insert.bind(token.end.registeredUntil, at: 5)
            insert.bind(token.reason, at: 6)
            insert.bind(token.at, at: 7)
            insert.bind(waits ? 1 : 0, at: 8)
            try insert.run()
        }
    }

    /// Has what waits wait for an operator.
    func stopWaiting(of channel: String, in pipeline: PipelineNumber) throws(SQLiteError) {
        stopWaiting.bind(Int64(pipeline.rawValue), at: 1)
        stopWaiting.bind(channel, at: 2)
        try stopWaiting.run()
    }

    /// Forgets verdicts on subscriptions.
    func clear(_ subscriptions: [Int64]) throws(SQLiteError) {
        for subscription in subscriptions {
            drop.bind(subscription, at: 1)
            try drop.run()
        }
    }

    /// Keeps what a channel's guard knows.
    func keep(_ record: InvalidTokenRecord, of channel: String, in pipeline: PipelineNumber) throws(SQLiteError) {
        writeGuard.bind(Int64(pipeline.rawValue), at: 1)
        writeGuard.bind(channel, at: 2)
        writeGuard.bind(NumberListCodec.encode(record.removals.map(\.milliseconds)), at: 3)
        writeGuard.bind(record.doubtedSince, at: 4)
        writeGuard.bind(record.waitingSince, at: 5)
        writeGuard.bind(Int64(record.results), at: 6)
        writeGuard.bind(Int64(record.verdicts), at: 7)
        try writeGuard.run()
    }

    /// What one transaction took out of a quarantine.
    struct Piece: Sendable {
        /// What the verdicts came to that stood.
        var result = InvalidTokenResult()
        /// Whether there may be more.
        var hasMore = false
    }

    // A few milliseconds' work.
    static let piece = 250

    /// What is done with verdicts that are taken out.
    enum End {
        case forget
        /// Their subscriptions end; with a channel, they are kept aside.
        case remove(by: String?)

        init(_ end: InvalidTokenRule.End, by channel: String) {
            self =
                switch end {
                case .forget: .forget
                case .setAside: .remove(by: channel)
                case .remove: .remove(by: nil)
                }
        }
    }

    /// Takes verdicts of a channel out, only those that wait where `onlyWaiting`.
    func take(
        of channel: String,
        in pipeline: PipelineNumber,
        onlyWaiting: Bool,
        _ end: End
    ) throws(SQLiteError) -> Piece {
        page.bind(Int64(pipeline.rawValue), at: 1)
        page.bind(channel, at: 2)
        page.bind(onlyWaiting ? 1 : 0, at: 3)
        page.bind(Int64(Self.piece), at: 4)
        var found: [(token: InvalidToken, stands: Bool)] = []
        while try page.step() {
            let end = SubscriptionEnd(
                subscription: page.integer(0),
                onlyToken: page.optionalText(1),
                registeredUntil: page.wallTime(2)
            )
            let token = InvalidToken(end: end, reason: page.text(3), at: page.wallTime(4))
            found.append((token, stands(token, page)))
        }
        page.reset()
        var piece = Piece(hasMore: found.count == Self.piece)
        for (token, stands) in found {
            if stands {
                piece.result.decided += 1
                if case .remove(let channel) = end, let ended = try removed.remove(token, by: channel) {
                    piece.result.ended.append(ended)
                }
            }
            drop.bind(token.end.subscription, at: 1)
            try drop.run()
        }
        return piece
    }

    /// Whether a verdict stands for the subscription beside it, which may be gone.
    private func stands(_ token: InvalidToken, _ row: Statement) -> Bool {
        guard let current = row.optionalText(5) else { return false }
        return SubscriptionRule.stands(
            token,
            token: current,
            tokenAt: row.wallTime(6),
            lastSuccess: row.optionalWallTime(7)
        )
    }
}
