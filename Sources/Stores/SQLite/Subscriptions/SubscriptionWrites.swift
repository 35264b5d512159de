// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for subscriptions.
struct SubscriptionWrites {
    private let connection: Connection
    private let places: SubscriptionPlaces
    private let insert: Statement
    private let refreshToken: Statement
    private let refreshRest: Statement
    private let look: Statement
    private let endAll: Statement
    private let removed: RemovedSubscriptions

    init(_ connection: Connection, removed: RemovedSubscriptions) throws(SQLiteError) {
        self.connection = connection
        self.removed = removed
        places = try SubscriptionPlaces(connection, in: .living)
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        insert = try prepare(
            """
            INSERT INTO subscription (pipeline, subscriber, user, app, device, platform, token, token_at, secret, phone,
                bank_client, app_version, os_version, language, tags, registered)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
            """
        )
        refreshToken = try prepare("UPDATE subscription SET token = ?2, token_at = ?3 WHERE seq = ?1")
        refreshRest = try prepare(
            """
            UPDATE subscription SET platform = ?2, phone = coalesce(?3, phone),
                bank_client = coalesce(?4, bank_client), app_version = coalesce(?5, app_version),
                os_version = coalesce(?6, os_version), language = coalesce(?7, language), tags = coalesce(?8, tags)
            WHERE seq = ?1
            """
        )
        look = try prepare("SELECT token, token_at, pipeline FROM subscription WHERE seq = ?1")
        endAll = try prepare("DELETE FROM subscription WHERE pipeline = ?1 AND user = ?2")
    }

    /// Returns how many it took the place of.
    func subscribe(_ new: NewSubscription) throws(SQLiteError) -> Int {
        let registration = new.registration
        let pipeline = Int64(new.pipeline.rawValue)
        let replaced = try places.end(replacedBy: registration, in: pipeline)
        try removed.forget(replacedBy: registration, in: pipeline)
        insert.bind(pipeline, at: 1)
        insert.bind(new.subscriber, at: 2)
        insert.bind(registration.user.id.text, at: 3)
        insert.bind(registration.app, at: 4)
        insert.bind(registration.deviceID, at: 5)
        insert.bind(PlatformCode.of(registration.platform), at: 6)
        insert.bind(registration.token, at: 7)
        insert.bind(new.at, at: 8)
        insert.bind(new.secretHash, at: 9)
        insert.bind(registration.phone, at: 10)
        insert.bind(registration.bankClientID, at: 11)
        insert.bind(registration.appVersion, at: 12)
        insert.bind(registration.osVersion, at: 13)
        insert.bind(registration.language, at: 14)
        insert.bind(registration.storedTags, at: 15)
        insert.bind(new.registeredAt, at: 16)
        try insert.run()
        return replaced
    }

    /// Returns how many others ended; `nil` where the subscription is gone.
    func refresh(_ refresh: SubscriptionRefresh) throws(SQLiteError) -> Int? {
        guard let pipeline = try pipeline(of: refresh.subscription), let old = try places.find(refresh.subscription)
        else { return nil }
        let place = SubscriptionRule.place(of: old, after: refresh)
        let ended = try places.end(addressOf: place, in: pipeline, except: refresh.subscription)
        try removed.forget(addressOf: place, in: pipeline)
        refreshToken.bind(refresh.subscription, at: 1)
        refreshToken.bind(refresh.token, at: 2)
        refreshToken.bind(refresh.at, at: 3)
        try refreshToken.run()
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
        for wish in wishes where try isSo(wish) {
            try places.end(wish.subscription)
            count += 1
        }
        return count
    }

    private func isSo(_ wish: SubscriptionEnd) throws(SQLiteError) -> Bool {
        look.bind(wish.subscription, at: 1)
        defer { look.reset() }
        return try look.step() && SubscriptionRule.ends(wish, token: look.text(0), tokenAt: look.wallTime(1))
    }

    private func pipeline(of subscription: Int64) throws(SQLiteError) -> Int64? {
        look.bind(subscription, at: 1)
        defer { look.reset() }
        return try look.step() ? look.integer(2) : nil
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
}

extension Registration {
    /// `nil` where the app named none.
    fileprivate var storedTags: [UInt8]? {
        tags.isEmpty ? nil : RecipientListCodec.encode(tags.map { RecipientID($0) })
    }
}
