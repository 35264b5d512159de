// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The readers' statements for subscriptions.
struct SubscriptionReads {
    private let ofUser: Statement
    private let search: SubscriptionSearch
    private let ofDevice: Statement
    private let named: Statement

    private static let columns =
        "seq, subscriber, user, app, device, platform, token, token_at, secret, phone, last_success"

    init(_ connection: Connection) throws(SQLiteError) {
        ofUser = try Statement(
            "SELECT \(Self.columns) FROM subscription WHERE pipeline = ?1 AND user = ?2 ORDER BY seq DESC",
            on: connection
        )
        search = try SubscriptionSearch(connection)
        ofDevice = try Statement(
            """
            SELECT \(Self.columns) FROM subscription
            WHERE pipeline = ?1 AND device = ?2 AND (?3 IS NULL OR app = ?3) ORDER BY seq DESC
            """,
            on: connection
        )
        named = try Statement(
            "SELECT \(Self.columns) FROM subscription WHERE pipeline = ?1 AND subscriber = ?2",
            on: connection
        )
    }

    func subscriptions(of users: [RecipientID], in pipeline: PipelineNumber) throws(SQLiteError) -> [[Subscription]] {
        var found: [[Subscription]] = []
        found.reserveCapacity(users.count)
        ofUser.bind(Int64(pipeline.rawValue), at: 1)
        for user in users {
            ofUser.bind(user.text, at: 2)
            found.append(try rows(of: ofUser))
        }
        return found
    }

    func areSubscribed(_ users: [RecipientID], in pipeline: PipelineNumber) throws(SQLiteError) -> [Bool] {
        var found: [Bool] = []
        found.reserveCapacity(users.count)
        for user in users { found.append(try search.isSubscribed(user, in: pipeline)) }
        return found
    }

    func subscriptions(
        ofDevice device: String,
        app: String?,
        in pipeline: PipelineNumber
    ) throws(SQLiteError) -> [Subscription] {
        ofDevice.bind(Int64(pipeline.rawValue), at: 1)
        ofDevice.bind(device, at: 2)
        ofDevice.bind(app, at: 3)
        return try rows(of: ofDevice)
    }

    func subscription(named subscriber: String, in pipeline: PipelineNumber) throws(SQLiteError) -> Subscription? {
        named.bind(Int64(pipeline.rawValue), at: 1)
        named.bind(subscriber, at: 2)
        return try rows(of: named).first
    }

    private func rows(of statement: Statement) throws(SQLiteError) -> [Subscription] {
        defer { statement.reset() }
        var found: [Subscription] = []
        while try statement.step() {
            found.append(
                Subscription(
                    sequence: statement.integer(0),
                    subscriber: statement.text(1),
                    user: RecipientID(statement.text(2)),
                    app: statement.text(3),
                    deviceID: statement.text(4),
                    platform: PlatformCode.platform(statement.integer(5)),
                    token: statement.text(6),
                    tokenAt: statement.wallTime(7),
                    secretHash: statement.bytes(8),
                    phone: statement.optionalText(9),
                    lastSuccess: statement.optionalWallTime(10)
                )
            )
        }
        return found
    }
}
