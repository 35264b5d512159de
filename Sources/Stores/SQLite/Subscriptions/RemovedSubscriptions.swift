// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for subscriptions that verdicts ended: they are kept aside, and may come back.
struct RemovedSubscriptions {
    private let connection: Connection
    private let places: SubscriptionPlaces
    private let living: SubscriptionPlaces
    private let look: Statement
    private let keep: Statement
    private let page: Statement
    private let restore: Statement
    private let dropUser: Statement
    private let dropOld: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        places = try SubscriptionPlaces(connection, in: .removed)
        living = try SubscriptionPlaces(connection, in: .living)
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        look = try prepare("SELECT token, token_at, app FROM subscription WHERE seq = ?1")
        keep = try prepare(
            """
            INSERT OR REPLACE INTO removed_subscription (\(Schema.keptColumns), channel, reason, removed)
            SELECT \(Schema.keptColumns), ?2, ?3, ?4 FROM subscription WHERE seq = ?1
            """
        )
        page = try prepare(
            """
            SELECT seq, token, token_at, reason, removed FROM removed_subscription
            WHERE pipeline = ?1 AND channel = ?2 AND removed > ?3 AND seq > ?4 ORDER BY seq LIMIT ?5
            """
        )
        restore = try prepare(
            """
            INSERT INTO subscription (\(Schema.keptColumns))
            SELECT \(Schema.keptColumns) FROM removed_subscription WHERE seq = ?1
            """
        )
        dropUser = try prepare("DELETE FROM removed_subscription WHERE pipeline = ?1 AND user = ?2")
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
        let number = token.end.subscription
        look.bind(number, at: 1)
        defer { look.reset() }
        guard try look.step(), SubscriptionRule.ends(token.end, token: look.text(0), tokenAt: look.wallTime(1)) else {
            return nil
        }
        keep.bind(number, at: 1)
        keep.bind(channel, at: 2)
        keep.bind(token.reason, at: 3)
        keep.bind(token.at, at: 4)
        try keep.run()
        let ended = EndedSubscription(subscription: number, app: look.text(2), reason: token.reason)
        look.reset()
        try living.end(number)
        return ended
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
            kept.append(Kept(token: token, isRestored: try restore(token.end.subscription, in: pipeline)))
            try places.end(token.end.subscription)
        }
        return kept
    }

    private func restore(_ subscription: Int64, in pipeline: PipelineNumber) throws(SQLiteError) -> Bool {
        guard let place = try places.find(subscription),
            SubscriptionRule.comesBack(
                place,
                beside: try living.beside(place, in: Int64(pipeline.rawValue)).map(\.place)
            )
        else { return false }
        restore.bind(subscription, at: 1)
        try restore.run()
        return true
    }

    /// Forgets what a new registration takes the place of.
    func forget(replacedBy registration: Registration, in pipeline: Int64) throws(SQLiteError) {
        _ = try places.end(replacedBy: registration, in: pipeline)
    }

    /// Forgets what had an address that another subscription has now.
    func forget(addressOf place: SubscriptionPlace, in pipeline: Int64) throws(SQLiteError) {
        _ = try places.end(addressOf: place, in: pipeline, except: 0)
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
