// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for notifications whose time has passed or that were read.
struct AftermathWrites {
    /// What copies of this value share.
    private final class Shared {
        var hasErased = false
    }

    /// Content of more bytes lies on pages of its own.
    private static let longestInRow = 3_000

    private let connection: Connection
    private let shared = Shared()
    private let callbacks: CallbackWrites
    private let passed: Statement
    private let secret: Statement
    private let erase: Statement
    private let conclude: Statement

    private static let columns = "seq, first_delivery, delivery_count, aftermath, content"

    init(_ connection: Connection, callbacks: CallbackWrites) throws(SQLiteError) {
        self.connection = connection
        self.callbacks = callbacks
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        // `RetentionRule.isOver`, for an index.
        passed = try prepare(
            """
            SELECT \(Self.columns) FROM notification
            WHERE pipeline = ?1 AND aftermath AND expires <= ?2
                AND (expires > accepted OR accepted <= ?2 - \(NotificationTime.nowLasts))
                AND NOT EXISTS (
                    SELECT 1 FROM delivery WHERE seq >= first_delivery AND seq < first_delivery + delivery_count AND open
                )
                AND NOT EXISTS (SELECT 1 FROM expansion e WHERE e.notification = notification.seq)
            ORDER BY expires LIMIT ?3
            """
        )
        // `DeliveryState.needsContent` of none, for thousands of deliveries.
        secret = try prepare(
            """
            SELECT \(Self.columns) FROM notification
            WHERE seq = ?1 AND aftermath & \(Aftermath.secret.rawValue) AND NOT EXISTS (
                SELECT 1 FROM delivery
                WHERE seq >= first_delivery AND seq < first_delivery + delivery_count
                    AND (open OR status <> \(StatusCode.of(.read)))
            ) AND NOT EXISTS (SELECT 1 FROM expansion e WHERE e.notification = ?1)
            """
        )
        erase = try prepare(
            "UPDATE notification SET content = ?2, aftermath = aftermath & ~\(Aftermath.secret.rawValue) WHERE seq = ?1"
        )
        conclude = try prepare("UPDATE notification SET aftermath = 0 WHERE seq = ?1")
    }

    private struct Row {
        let sequence: Int64
        let deliveries: Range<Int64>
        let aftermath: Aftermath
        let content: [UInt8]

        init(_ row: Statement) {
            sequence = row.integer(0)
            deliveries = row.deliveries(first: 1, count: 2)
            aftermath = Aftermath(rawValue: row.integer(3))
            content = row.bytes(4)
        }
    }

    /// Erases a PIN code that all its recipients have read.
    func eraseIfRead(_ notification: Int64) throws(SQLiteError) {
        secret.bind(notification, at: 1)
        for row in try rows(of: secret) { try erase(row) }
    }

    /// Concludes notifications whose time has passed; returns how many.
    func concludePassed(_ pipeline: PipelineNumber, now: WallTime, limit: Int) throws(SQLiteError) -> Int {
        passed.bind(Int64(pipeline.rawValue), at: 1)
        passed.bind(now, at: 2)
        passed.bind(Int64(limit), at: 3)
        let rows = try rows(of: passed)
        for row in rows {
            if row.aftermath.contains(.unconfirmed) {
                try callbacks.tellUnconfirmed(
                    row.deliveries,
                    notification: row.sequence,
                    pipeline: Int64(pipeline.rawValue),
                    at: now
                )
            }
            if row.aftermath.contains(.secret) { try erase(row) }
            conclude.bind(row.sequence, at: 1)
            try conclude.run()
        }
        return rows.count
    }

    private func rows(of statement: Statement) throws(SQLiteError) -> [Row] {
        defer { statement.reset() }
        var rows: [Row] = []
        while try statement.step() { rows.append(Row(statement)) }
        return rows
    }

    /// Says once whether something was erased.
    func takeErased() -> Bool {
        defer { shared.hasErased = false }
        return shared.hasErased
    }

    private func erase(_ row: Row) throws(SQLiteError) {
        shared.hasErased = true
        // The usual setting leaves what is on pages that become free.
        let isLong = row.content.count > Self.longestInRow
        if isLong { try connection.execute("PRAGMA secure_delete = ON") }
        defer { if isLong { try? connection.execute("PRAGMA secure_delete = FAST") } }
        // What cannot be read is of no use to anybody, and goes as a whole.
        let decoded = try? NotificationCodec.decode(row.content, id: "", recipients: [])
        erase.bind(row.sequence, at: 1)
        erase.bind(decoded.map { NotificationCodec.encode($0.erased) } ?? [], at: 2)
        try erase.run()
    }
}
