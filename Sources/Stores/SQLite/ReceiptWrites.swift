// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for what phones tell.
struct ReceiptWrites {
    private let connection: Connection
    private let callbacks: CallbackWrites
    private let aftermath: AftermathWrites
    private let insert: Statement
    private let look: Statement
    private let raise: Statement
    private let events: EventWrites
    private let close: Statement
    private let noteSign: Statement
    private let noteEvent: Statement
    private let dropOldEvents: Statement

    init(
        _ connection: Connection,
        callbacks: CallbackWrites,
        aftermath: AftermathWrites,
        events: EventWrites
    ) throws(SQLiteError) {
        self.connection = connection
        self.callbacks = callbacks
        self.aftermath = aftermath
        self.events = events
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        insert = try prepare(
            """
            INSERT INTO receipt (delivery, subscription, kind, at, button) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT DO NOTHING
            """
        )
        look = try prepare(
            """
            SELECT notification, queue, status, delivered, read, closed,
                open AND fallback IS NOT NULL AND coalesce(text_state, \(TextCode.of(.due))) = \(TextCode.of(.due)),
                channel
            FROM delivery WHERE seq = ?1
            """
        )
        raise = try prepare(
            """
            UPDATE delivery SET status = max(status, ?2),
                delivered = CASE WHEN ?2 = 5 THEN coalesce(delivered, ?3) ELSE delivered END,
                read = CASE WHEN ?2 = 6 THEN coalesce(read, ?3) ELSE read END
            WHERE seq = ?1
            """
        )
        close = try prepare("UPDATE delivery SET open = 0, phone = NULL WHERE seq = ?1")
        noteSign = try prepare(
            """
            UPDATE subscription SET seen = ?2 WHERE seq = ?1 AND coalesce(seen, 0)
                <= ?2 - (SELECT sign_interval FROM pipeline WHERE number = subscription.pipeline)
            """
        )
        noteEvent = try prepare(
            """
            INSERT INTO app_event (subscription, name, at, count) SELECT seq, ?2, ?3, 1 FROM subscription WHERE seq = ?1
            ON CONFLICT (subscription, name) DO UPDATE SET at = ?3, count = count + 1
            """
        )
        dropOldEvents = try prepare(
            """
            DELETE FROM app_event WHERE subscription = ?1 AND name IN (
                SELECT name FROM app_event WHERE subscription = ?1
                ORDER BY at DESC, name LIMIT -1 OFFSET \(NewAppEvent.namesKept)
            )
            """
        )
    }

    func receive(_ receipt: NewReceipt) throws(SQLiteError) -> KeptReceipt {
        look.bind(receipt.delivery, at: 1)
        defer { look.reset() }
        guard try look.step() else { return KeptReceipt(.known) }
        insert.bind(receipt.delivery, at: 1)
        insert.bind(receipt.subscription, at: 2)
        insert.bind(ReceiptCode.of(receipt.event), at: 3)
        insert.bind(receipt.at, at: 4)
        insert.bind(receipt.button, at: 5)
        try insert.run()
        guard connection.changes == 1 else { return KeptReceipt(.known) }
        let before = Before(look)
        try raise(receipt, before)
        noteSign.bind(receipt.subscription, at: 1)
        noteSign.bind(receipt.at, at: 2)
        try noteSign.run()
        return KeptReceipt(before.awaitsFallback ? .ended : .kept, reached: before.reached(by: receipt.event))
    }

    private struct Before {
        let notification: Int64
        let pipeline: Int64
        let status: Int64
        let isDelivered: Bool
        let isRead: Bool
        let closed: WallTime?
        /// Whether it is open for a text message that no gateway was asked for.
        let awaitsFallback: Bool
        let channel: String?

        init(_ row: Statement) {
            notification = row.integer(0)
            pipeline = Queue.pipeline(ofKey: row.integer(1))
            status = row.integer(2)
            isRead = !row.isNull(4)
            isDelivered = isRead || !row.isNull(3)
            closed = row.optionalWallTime(5)
            awaitsFallback = row.integer(6) == 1
            channel = row.optionalText(7)
        }

        func reached(by event: Receipt.Event) -> ReachedStatus? {
            if event.isReading { return isRead ? nil : ReachedStatus(.read, channel: channel) }
            return isDelivered ? nil : ReachedStatus(.delivered, channel: channel)
        }
    }

    private func raise(_ receipt: NewReceipt, _ before: Before) throws(SQLiteError) {
        let isRead = receipt.event.isReading
        if before.status > 0, before.status < StatusCode.firstTaken {
            try events.add(before.status, to: receipt.delivery, at: before.closed ?? receipt.at)
        }
        if before.awaitsFallback {
            close.bind(receipt.delivery, at: 1)
            try close.run()
        }
        raise.bind(receipt.delivery, at: 1)
        raise.bind(StatusCode.of(isRead ? .read : .delivered), at: 2)
        raise.bind(receipt.at, at: 3)
        try raise.run()
        // What was opened had arrived, whether or not the phone said so.
        if !before.isDelivered { try tell(.delivered, receipt, before) }
        if isRead, !before.isRead {
            try tell(.opened, receipt, before)
            try aftermath.eraseIfRead(before.notification)
        }
    }

    private func tell(_ kind: BankEvent.Kind, _ receipt: NewReceipt, _ before: Before) throws(SQLiteError) {
        try callbacks.tell(
            kind,
            delivery: receipt.delivery,
            notification: before.notification,
            pipeline: before.pipeline,
            at: receipt.at
        )
    }

    func note(_ event: NewAppEvent) throws(SQLiteError) {
        noteEvent.bind(event.subscription, at: 1)
        noteEvent.bind(event.name, at: 2)
        noteEvent.bind(event.at, at: 3)
        try noteEvent.run()
        dropOldEvents.bind(event.subscription, at: 1)
        try dropOldEvents.run()
    }
}

/// The stored number of a receipt's kind.
enum ReceiptCode {
    static func of(_ event: Receipt.Event) -> Int64 {
        switch event {
        case .delivered: 0
        case .opened: 1
        case .clicked: 2
        case .dismissed: 3
        }
    }

    static func event(_ code: Int64) -> Receipt.Event {
        switch code {
        case 1: .opened
        case 2: .clicked
        case 3: .dismissed
        default: .delivered
        }
    }
}

extension Receipt.Event {
    /// Whether it means that the user saw the notification.
    var isReading: Bool {
        switch self {
        case .opened, .clicked: true
        case .delivered, .dismissed: false
        }
    }
}
