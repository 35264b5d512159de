// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for subscriptions that verdicts ended: they are kept aside, and may come back.
struct RemovedSubscriptions {
    private let connection: Connection
    private let keep: Statement
    private let end: Statement
    private let page: Statement
    private let restore: Statement
    private let drop: Statement
    private let dropUser: Statement
    private let dropDevice: Statement
    private let dropToken: Statement
    private let dropOld: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        keep = try prepare(
            """
            INSERT OR REPLACE INTO removed_subscription (\(Schema.keptColumns), channel, reason, removed)
            SELECT \(Schema.keptColumns), ?4, ?5, ?6 FROM subscription
            WHERE seq = ?1 AND (?2 IS NULL OR token = ?2) AND token_at <= ?3 RETURNING app
            """
        )
        end = try prepare("DELETE FROM subscription WHERE seq = ?1")
        page = try prepare(
            """
            SELECT seq, token, token_at, reason, removed FROM removed_subscription
            WHERE pipeline = ?1 AND channel = ?2 AND removed > ?3 AND seq > ?4 ORDER BY seq LIMIT ?5
            """
        )
        // Whoever registered the device or the token since is not put aside for what was there before.
        restore = try prepare(
            """
            INSERT INTO subscription (\(Schema.keptColumns)) SELECT \(Schema.keptColumns) FROM removed_subscription r
            WHERE r.seq = ?1
                AND NOT EXISTS (
                    SELECT 1 FROM subscription s WHERE s.pipeline = r.pipeline AND s.device = r.device AND s.app = r.app
                )
                AND NOT EXISTS (
                    SELECT 1 FROM subscription s
                    WHERE s.pipeline = r.pipeline AND s.token = r.token AND s.platform = r.platform
                )
            """
        )
        drop = try prepare("DELETE FROM removed_subscription WHERE seq = ?1")
        dropUser = try prepare("DELETE FROM removed_subscription WHERE pipeline = ?1 AND user = ?2")
        dropDevice = try prepare("DELETE FROM removed_subscription WHERE pipeline = ?1 AND device = ?2 AND app = ?3")
        dropToken = try prepare(
            "DELETE FROM removed_subscription WHERE pipeline = ?1 AND token = ?2 AND platform = ?3"
        )
        dropOld = try prepare(
            """
            DELETE FROM removed_subscription WHERE seq IN (
                SELECT seq FROM removed_subscription WHERE removed < ?1 ORDER BY removed LIMIT ?2
            )
            """
        )
    }

    /// Ends a subscription while it is as the verdict says, and keeps it aside; `nil` where it is not.
    ///
    /// Without a channel it never comes back.
    func remove(_ token: InvalidToken, by channel: String?) throws(SQLiteError) -> EndedSubscription? {
        keep.bind(token.end.subscription, at: 1)
        keep.bind(token.end.onlyToken, at: 2)
        keep.bind(token.end.registeredUntil, at: 3)
        keep.bind(channel, at: 4)
        keep.bind(token.reason, at: 5)
        keep.bind(token.at, at: 6)
        defer { keep.reset() }
        guard try keep.step() else { return nil }
        let app = keep.text(0)
        while try keep.step() {}
        end.bind(token.end.subscription, at: 1)
        try end.run()
        return EndedSubscription(subscription: token.end.subscription, app: app, reason: token.reason)
    }

    /// A subscription that is aside.
    struct Kept {
        let token: InvalidToken
        let isRestored: Bool
    }

    /// Brings back what a channel's verdicts removed after a moment, from a number on.
    func restore(
        of channel: String,
        in pipeline: PipelineNumber,
        since: WallTime,
        after last: Int64,
        limit: Int
    ) throws(SQLiteError) -> [Kept] {
        page.bind(Int64(pipeline.rawValue), at: 1)
        page.bind(channel, at: 2)
        page.bind(since, at: 3)
        page.bind(last, at: 4)
        page.bind(Int64(limit), at: 5)
        var tokens: [InvalidToken] = []
        while try page.step() {
            let end = SubscriptionEnd(
                subscription: page.integer(0),
                onlyToken: page.text(1),
                registeredUntil: page.wallTime(2)
            )
            tokens.append(InvalidToken(end: end, reason: page.text(3), at: page.wallTime(4)))
        }
        page.reset()
        var kept: [Kept] = []
        for token in tokens {
            restore.bind(token.end.subscription, at: 1)
            try restore.run()
            kept.append(Kept(token: token, isRestored: connection.changes == 1))
            drop.bind(token.end.subscription, at: 1)
            try drop.run()
        }
        return kept
    }

    /// Forgets what a new registration takes the place of.
    func forget(_ registration: Registration, in pipeline: PipelineNumber) throws(SQLiteError) {
        dropDevice.bind(Int64(pipeline.rawValue), at: 1)
        dropDevice.bind(registration.deviceID, at: 2)
        dropDevice.bind(registration.app, at: 3)
        try dropDevice.run()
        try forget(registration.token, PlatformCode.of(registration.platform), in: Int64(pipeline.rawValue))
    }

    /// Forgets what had a token that another subscription has now.
    func forget(_ token: String, _ platform: Int64, in pipeline: Int64) throws(SQLiteError) {
        dropToken.bind(pipeline, at: 1)
        dropToken.bind(token, at: 2)
        dropToken.bind(platform, at: 3)
        try dropToken.run()
    }

    /// Forgets a user's.
    func forget(_ user: RecipientID, in pipeline: PipelineNumber) throws(SQLiteError) {
        dropUser.bind(Int64(pipeline.rawValue), at: 1)
        dropUser.bind(user.text, at: 2)
        try dropUser.run()
    }

    /// Forgets what was removed before a moment; returns how many.
    func forget(before: WallTime, limit: Int) throws(SQLiteError) -> Int {
        dropOld.bind(before, at: 1)
        dropOld.bind(Int64(limit), at: 2)
        try dropOld.run()
        return connection.changes
    }
}
