// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for subscriptions.
struct SubscriptionWrites {
    private let connection: Connection
    private let endReplaced: Statement
    private let endSameToken: Statement
    private let insert: Statement
    private let refreshToken: Statement
    private let refreshRest: Statement
    private let end: Statement
    private let endAll: Statement
    private let removed: RemovedSubscriptions

    init(_ connection: Connection, removed: RemovedSubscriptions) throws(SQLiteError) {
        self.connection = connection
        self.removed = removed
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        // Two indexes answer the two halves; an OR would have SQLite gather rowids first.
        endReplaced = try prepare("DELETE FROM subscription WHERE pipeline = ?1 AND device = ?2 AND app = ?3")
        endSameToken = try prepare(
            "DELETE FROM subscription WHERE pipeline = ?1 AND token = ?2 AND platform = ?3 AND seq <> ?4"
        )
        insert = try prepare(
            """
            INSERT INTO subscription (pipeline, subscriber, user, app, device, platform, token, token_at, secret, phone,
                bank_client, app_version, os_version, language, tags, registered)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?8)
            """
        )
        refreshToken = try prepare(
            """
            UPDATE subscription SET token = ?2, token_at = ?3 WHERE seq = ?1
            RETURNING pipeline, platform
            """
        )
        refreshRest = try prepare(
            """
            UPDATE subscription SET platform = ?2, phone = coalesce(?3, phone),
                bank_client = coalesce(?4, bank_client), app_version = coalesce(?5, app_version),
                os_version = coalesce(?6, os_version), language = coalesce(?7, language), tags = coalesce(?8, tags)
            WHERE seq = ?1
            """
        )
        end = try prepare(
            "DELETE FROM subscription WHERE seq = ?1 AND (?2 IS NULL OR token = ?2) AND token_at <= ?3"
        )
        endAll = try prepare("DELETE FROM subscription WHERE pipeline = ?1 AND user = ?2")
    }

    /// Returns how many it took the place of.
    func subscribe(_ new: NewSubscription) throws(SQLiteError) -> Int {
        let registration = new.registration
        let pipeline = Int64(new.pipeline.rawValue)
        endReplaced.bind(pipeline, at: 1)
        endReplaced.bind(registration.deviceID, at: 2)
        endReplaced.bind(registration.app, at: 3)
        try endReplaced.run()
        var replaced = connection.changes
        let platform = PlatformCode.of(registration.platform)
        replaced += try endOthers(of: registration.token, platform, pipeline: pipeline, except: 0)
        if registration.endsOtherDevices { replaced += try endAll(of: registration.user.id, in: new.pipeline) }
        try removed.forget(registration, in: new.pipeline)
        insert.bind(pipeline, at: 1)
        insert.bind(new.subscriber, at: 2)
        insert.bind(registration.user.id.text, at: 3)
        insert.bind(registration.app, at: 4)
        insert.bind(registration.deviceID, at: 5)
        insert.bind(platform, at: 6)
        insert.bind(registration.token, at: 7)
        insert.bind(new.at, at: 8)
        insert.bind(new.secretHash, at: 9)
        insert.bind(registration.phone, at: 10)
        insert.bind(registration.bankClientID, at: 11)
        insert.bind(registration.appVersion, at: 12)
        insert.bind(registration.osVersion, at: 13)
        insert.bind(registration.language, at: 14)
        insert.bind(registration.storedTags, at: 15)
        try insert.run()
        return replaced
    }

    /// Returns how many others ended; `nil` where the subscription is gone.
    func refresh(_ refresh: SubscriptionRefresh) throws(SQLiteError) -> Int? {
        refreshToken.bind(refresh.subscription, at: 1)
        refreshToken.bind(refresh.token, at: 2)
        refreshToken.bind(refresh.at, at: 3)
        guard try refreshToken.step() else {
            refreshToken.reset()
            return nil
        }
        let pipeline = refreshToken.integer(0)
        let platform = refresh.registration.map { PlatformCode.of($0.platform) } ?? refreshToken.integer(1)
        try refreshToken.run()
        let ended = try endOthers(of: refresh.token, platform, pipeline: pipeline, except: refresh.subscription)
        try removed.forget(refresh.token, platform, in: pipeline)
        guard let registration = refresh.registration else { return ended }
        refreshRest.bind(refresh.subscription, at: 1)
        refreshRest.bind(PlatformCode.of(registration.platform), at: 2)
        refreshRest.bind(registration.phone, at: 3)
        refreshRest.bind(registration.bankClientID, at: 4)
        refreshRest.bind(registration.appVersion, at: 5)
        refreshRest.bind(registration.osVersion, at: 6)
        refreshRest.bind(registration.language, at: 7)
        refreshRest.bind(registration.storedTags, at: 8)
        try refreshRest.run()
        return ended
    }

    /// Returns how many ended.
    func end(_ wishes: [SubscriptionEnd]) throws(SQLiteError) -> Int {
        var count = 0
        for wish in wishes {
            end.bind(wish.subscription, at: 1)
            end.bind(wish.onlyToken, at: 2)
            end.bind(wish.registeredUntil, at: 3)
            try end.run()
            count += connection.changes
        }
        return count
    }

    /// Returns how many there were.
    func endAll(of user: RecipientID, in pipeline: PipelineNumber) throws(SQLiteError) -> Int {
        endAll.bind(Int64(pipeline.rawValue), at: 1)
        endAll.bind(user.text, at: 2)
        try endAll.run()
        let count = connection.changes
        try removed.forget(user, in: pipeline)
        return count
    }

    // One phone and one program on it, whatever app it says it is: a token that moved left the old subscription.
    private func endOthers(
        of token: String,
        _ platform: Int64,
        pipeline: Int64,
        except: Int64
    ) throws(SQLiteError) -> Int {
        endSameToken.bind(pipeline, at: 1)
        endSameToken.bind(token, at: 2)
        endSameToken.bind(platform, at: 3)
        endSameToken.bind(except, at: 4)
        try endSameToken.run()
        return connection.changes
    }
}

extension Registration {
    /// `nil` where the app named none.
    fileprivate var storedTags: [UInt8]? {
        tags.isEmpty ? nil : RecipientListCodec.encode(tags.map { RecipientID($0) })
    }
}
