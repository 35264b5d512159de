// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements of when a subscription was last seen, worth a write once in a while only.
///
/// The condition is ``SubscriptionRule/isWorthNoting(at:after:every:)``.
struct LastSeenWrites {
    private let success: Statement
    private let receipt: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        func prepare(_ column: String) throws(SQLiteError) -> Statement {
            try Statement(
                """
                UPDATE subscription SET \(column) = ?2 WHERE seq = ?1 AND coalesce(\(column), 0)
                    <= ?2 - (SELECT sign_interval FROM pipeline WHERE number = subscription.pipeline)
                """,
                on: connection
            )
        }
        success = try prepare("last_success")
        receipt = try prepare("seen")
    }

    /// A provider took something for it.
    func noteSuccess(of subscription: Int64, at now: WallTime) throws(SQLiteError) {
        try run(success, subscription, now)
    }

    /// Its phone told something.
    func noteReceipt(of subscription: Int64, at now: WallTime) throws(SQLiteError) {
        try run(receipt, subscription, now)
    }

    private func run(_ statement: Statement, _ subscription: Int64, _ now: WallTime) throws(SQLiteError) {
        statement.bind(subscription, at: 1)
        statement.bind(now, at: 2)
        try statement.run()
    }
}
