// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for text messages in the place of pushes: how far they are, and what gateways tell later.
struct TextWrites {
    private let connection: Connection
    private let callbacks: CallbackWrites
    private let aftermath: AftermathWrites
    private let events: EventWrites
    private let keep: Statement
    private let endKnown: Statement
    private let fail: Statement
    private let bury: Statement
    private let look: Statement
    private let channelOf: Statement
    private let deliver: Statement
    private let letterOf: Statement
    private let reopen: Statement

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
        keep = try prepare(
            """
            UPDATE delivery SET text_state = coalesce(?2, text_state), phone = coalesce(?3, phone)
            WHERE seq = ?1
            """
        )
        endKnown = try prepare("UPDATE delivery SET open = 0, phone = NULL WHERE seq = ?1 AND open")
        // Only a phone that has it is believed more than a gateway that will not have it.
        fail = try prepare(
            """
            UPDATE delivery SET open = 0, phone = NULL, attempts = coalesce(?3, attempts), text_state = \(TextCode.of(.failed)),
                closed = CASE WHEN status < \(StatusCode.of(.delivered)) THEN ?2 ELSE closed END,
                status = CASE WHEN status < \(StatusCode.of(.delivered)) THEN \(StatusCode.of(.sendingFailed))
                    ELSE status END
            WHERE seq = ?1
            """
        )
        bury = try prepare(
            """
            INSERT INTO dead_letter
                (link, notification, kind, deliveries, delivery_count, at, died, attempts, reason, channel)
            SELECT 0, notification, \(KindCode.of(.failed)), ?2, 1, ?3, ?3, attempts, ?4, ?5 FROM delivery WHERE seq = ?1
            """
        )
        look = try prepare("SELECT notification, queue, status, closed, text_state FROM delivery WHERE seq = ?1")
        channelOf = try prepare(
            "SELECT channel FROM event WHERE delivery = ?1 AND status = \(EventCode.fallback) ORDER BY seq DESC LIMIT 1"
        )
        deliver = try prepare(
            """
            UPDATE delivery SET status = \(StatusCode.of(.delivered)), delivered = ?2, text_state = \(TextCode.of(.taken))
            WHERE seq = ?1
            """
        )
        letterOf = try prepare("SELECT deliveries FROM dead_letter WHERE seq = ?1 AND channel IS NOT NULL")
        reopen = try prepare(
            """
            UPDATE delivery SET open = 1, due = ?2, closed = NULL, text_state = \(TextCode.of(.due)),
                status = CASE WHEN sent IS NULL THEN \(StatusCode.of(.queued)) ELSE \(StatusCode.of(.sent)) END
            WHERE seq = ?1 AND NOT open AND status = \(StatusCode.of(.sendingFailed))
                AND (SELECT expires FROM notification WHERE seq = delivery.notification) > ?3
            """
        )
    }

    /// Opens the delivery again whose text message is a dead letter; `false` where it is none, or its time has passed.
    func reopen(letter: Int64, at now: WallTime) throws(SQLiteError) -> Bool {
        letterOf.bind(letter, at: 1)
        defer { letterOf.reset() }
        guard try letterOf.step(), let deliveries = try? NumberListCodec.decode(letterOf.bytes(0)) else { return false }
        var isOpen = false
        for delivery in deliveries {
            reopen.bind(delivery, at: 1)
            reopen.bind(callbacks.schedule.read().due, at: 2)
            reopen.bind(now, at: 3)
            try reopen.run()
            isOpen = isOpen || connection.changes == 1
        }
        return isOpen
    }

    private struct Row {
        let notification: Int64
        let pipeline: Int64
        let status: Int64
        let closed: WallTime?
        let text: TextState?
    }

    private func row(_ delivery: Int64) throws(SQLiteError) -> Row? {
        look.bind(delivery, at: 1)
        defer { look.reset() }
        guard try look.step() else { return nil }
        return Row(
            notification: look.integer(0),
            pipeline: Queue.pipeline(ofKey: look.integer(1)),
            status: look.integer(2),
            closed: look.optionalWallTime(3),
            text: look.optionalInteger(4).map(TextCode.state)
        )
    }

    func keep(_ state: TextState?, _ phone: String? = nil, of delivery: Int64) throws(SQLiteError) {
        keep.bind(delivery, at: 1)
        keep.bind(state.map(TextCode.of), at: 2)
        keep.bind(phone, at: 3)
        try keep.run()
    }

    /// Ends a delivery that a phone has while it waited; nothing where it is closed.
    func endKnown(_ delivery: Int64) throws(SQLiteError) {
        endKnown.bind(delivery, at: 1)
        try endKnown.run()
        try eraseIfRead(delivery)
    }

    /// Erases the code where this was the last thing that waited for it.
    func eraseIfRead(_ delivery: Int64) throws(SQLiteError) {
        guard let row = try row(delivery), row.status == StatusCode.of(.read) else { return }
        try aftermath.eraseIfRead(row.notification)
    }

    /// Ends a delivery whose text message was refused, or is known not to arrive.
    func fail(
        _ delivery: Int64,
        because reason: String,
        of channel: String,
        attempts: Int? = nil,
        at: WallTime
    ) throws(SQLiteError) {
        fail.bind(delivery, at: 1)
        fail.bind(at, at: 2)
        fail.bind(attempts.map(Int64.init), at: 3)
        try fail.run()
        guard let row = try row(delivery) else { return }
        guard row.status == StatusCode.of(.sendingFailed) else { return try eraseIfRead(delivery) }
        try callbacks.tell(
            .failed,
            delivery: delivery,
            notification: row.notification,
            pipeline: row.pipeline,
            at: at
        )
        bury.bind(delivery, at: 1)
        bury.bind(NumberListCodec.encode([delivery]), at: 2)
        bury.bind(at, at: 3)
        bury.bind(reason, at: 4)
        bury.bind(channel, at: 5)
        try bury.run()
    }

    /// Keeps what a gateway told later; returns whether it had got such a text message.
    func receive(_ report: NewGatewayReport) throws(SQLiteError) -> KeptReport {
        guard let row = try row(report.delivery), row.pipeline == Int64(report.pipeline.rawValue),
            let text = row.text, text != .due
        else { return KeptReport(isKnown: false) }
        guard row.status < StatusCode.of(.delivered) else { return KeptReport(isKnown: true) }
        let channel = try channel(of: report.delivery)
        switch report.fate {
        case .delivered:
            try deliver(report, row, channel)
            return KeptReport(isKnown: true, reached: ReachedStatus(.delivered, channel: channel))
        case .undeliverable(let reason):
            guard text != .failed, row.status == StatusCode.of(.sent) || row.status == StatusCode.of(.queued) else {
                return KeptReport(isKnown: true)
            }
            try events.add(.refused(channel: channel, reason: reason), to: report.delivery, at: report.at)
            try fail(report.delivery, because: reason, of: channel, at: report.at)
            return KeptReport(isKnown: true, reached: ReachedStatus(.sendingFailed, channel: channel))
        }
    }

    private func deliver(_ report: NewGatewayReport, _ row: Row, _ channel: String) throws(SQLiteError) {
        if row.status > 0, row.status < StatusCode.firstTaken {
            try events.add(row.status, to: report.delivery, at: row.closed ?? report.at)
        }
        deliver.bind(report.delivery, at: 1)
        deliver.bind(report.at, at: 2)
        try deliver.run()
        try events.add(StatusCode.of(.delivered), channel: channel, to: report.delivery, at: report.at)
        try callbacks.tell(
            .delivered,
            delivery: report.delivery,
            notification: row.notification,
            pipeline: row.pipeline,
            at: report.at
        )
    }

    private func channel(of delivery: Int64) throws(SQLiteError) -> String {
        channelOf.bind(delivery, at: 1)
        defer { channelOf.reset() }
        return try channelOf.step() ? channelOf.text(0) : ""
    }
}
