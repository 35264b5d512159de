// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for what was kept long enough.
struct RetentionWrites {
    private let connection: Connection
    private let dropLetters: Statement
    private let list: Statement
    private let needs: Statement
    private let removeNotification: Statement
    private let removeOrder: Statement
    private let shorten: Statement
    private let ofDeliveries: [Statement]

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        dropLetters = try prepare(
            "DELETE FROM dead_letter WHERE seq IN (SELECT seq FROM dead_letter WHERE died < ?1 ORDER BY seq LIMIT ?2)"
        )
        list = try prepare(
            """
            SELECT seq, accepted, first_delivery, delivery_count, aftermath,
                seq = (SELECT max(seq) FROM notification)
            FROM notification WHERE seq >= ?1 ORDER BY seq LIMIT ?2
            """
        )
        needs = try prepare(
            """
            SELECT EXISTS (SELECT 1 FROM delivery WHERE seq >= ?2 AND seq < ?3 AND open)
                    OR EXISTS (SELECT 1 FROM expansion WHERE notification = ?1),
                EXISTS (SELECT 1 FROM link l JOIN callback_line c ON c.link = l.number AND c.notification = ?1),
                EXISTS (SELECT 1 FROM dead_letter WHERE notification = ?1)
            """
        )
        removeNotification = try prepare("DELETE FROM notification WHERE seq = ?1")
        removeOrder = try prepare("DELETE FROM bank_order WHERE notification = ?1")
        shorten = try prepare("UPDATE notification SET delivery_count = ?2 WHERE seq = ?1")
        ofDeliveries = try [
            ("attempt", "delivery"), ("event", "delivery"), ("receipt", "delivery"), ("delivery", "seq"),
        ]
        .map { (table, key) throws(SQLiteError) in
            try prepare("DELETE FROM \(table) WHERE \(key) >= ?1 AND \(key) < ?2")
        }
    }

    /// Forgets so many rows from a place on; returns where to go on, `nil` where nothing older is left.
    func forget(before: WallTime, from place: RetentionPlace, limit: Int) throws(SQLiteError) -> RetentionPlace? {
        dropLetters.bind(before, at: 1)
        dropLetters.bind(Int64(limit), at: 2)
        try dropLetters.run()
        var left = limit
        var next = place.notification
        // Each costs at least one, so nothing is beyond these as long as some of the limit is left.
        for row in try rows(from: place.notification, limit: limit) {
            guard RetentionRule.isOld(accepted: row.accepted, before: before, isLast: row.isLast) else { return nil }
            guard left > 0 else { return RetentionPlace(notification: row.sequence) }
            next = row.sequence + 1
            let isBegun = row.sequence == place.notification && place.isBegun
            if !isBegun, try needs(of: row).any {
                left -= 1
                continue
            }
            let first = max(row.deliveries.lowerBound, row.deliveries.upperBound - Int64(left))
            left -= Int(row.deliveries.upperBound - first)
            if !isBegun { try forgetOrder(of: row) }
            try removeDeliveries(first..<row.deliveries.upperBound)
            if first > row.deliveries.lowerBound {
                try shorten(row, to: first)
                return RetentionPlace(notification: row.sequence, isBegun: true)
            }
            removeNotification.bind(row.sequence, at: 1)
            try removeNotification.run()
            left -= 1
        }
        return left > 0 ? nil : RetentionPlace(notification: next)
    }

    private struct Row {
        let sequence: Int64
        let accepted: WallTime
        let deliveries: Range<Int64>
        let aftermath: Aftermath
        let isLast: Bool

        init(_ row: Statement) {
            isLast = row.integer(5) == 1
            sequence = row.integer(0)
            accepted = row.wallTime(1)
            deliveries = row.deliveries(first: 2, count: 3)
            aftermath = Aftermath(rawValue: row.integer(4))
        }
    }

    private func rows(from sequence: Int64, limit: Int) throws(SQLiteError) -> [Row] {
        list.bind(sequence, at: 1)
        list.bind(Int64(limit), at: 2)
        defer { list.reset() }
        var rows: [Row] = []
        while try list.step() { rows.append(Row(list)) }
        return rows
    }

    /// What of it is still to be sent or told.
    private func needs(of row: Row) throws(SQLiteError) -> RetentionRule.Needs {
        needs.bind(row.sequence, at: 1)
        needs.bind(row.deliveries.lowerBound, at: 2)
        needs.bind(row.deliveries.upperBound, at: 3)
        defer { needs.reset() }
        let isFound = try needs.step()
        return RetentionRule.Needs(
            hasOpen: isFound && needs.integer(0) == 1,
            hasCallbacks: isFound && needs.integer(1) == 1,
            hasDeadLetters: isFound && needs.integer(2) == 1,
            awaitsConfirmation: row.aftermath.contains(.unconfirmed)
        )
    }

    private func removeDeliveries(_ deliveries: Range<Int64>) throws(SQLiteError) {
        for statement in ofDeliveries {
            statement.bind(deliveries.lowerBound, at: 1)
            statement.bind(deliveries.upperBound, at: 2)
            try statement.run()
        }
    }

    private func forgetOrder(of row: Row) throws(SQLiteError) {
        removeOrder.bind(row.sequence, at: 1)
        try removeOrder.run()
    }

    // From the end, so that what is left is a shorter notification and no other shape.
    private func shorten(_ row: Row, to end: Int64) throws(SQLiteError) {
        shorten.bind(row.sequence, at: 1)
        shorten.bind(end - row.deliveries.lowerBound, at: 2)
        try shorten.run()
    }
}
