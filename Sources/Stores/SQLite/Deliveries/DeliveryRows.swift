// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for single deliveries as the rules see them.
struct DeliveryRows {
    private let look: Statement
    private let write: Statement
    private let writeSteps: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        look = try prepare(
            """
            SELECT notification, queue, open, status, attempts, due, sent, delivered, read, closed, channel,
                fallback, text_state, phone, device
            FROM delivery WHERE seq = ?1
            """
        )
        write = try prepare(
            """
            UPDATE delivery SET queue = ?2, open = ?3, status = ?4, attempts = ?5, due = ?6, sent = ?7, delivered = ?8,
                read = ?9, closed = ?10, channel = ?11, text_state = ?12, phone = ?13, device = ?14
            WHERE seq = ?1
            """
        )
        // What phones tell changes nothing that an index knows.
        writeSteps = try prepare(
            "UPDATE delivery SET status = ?2, sent = ?3, delivered = ?4, read = ?5, closed = ?6 WHERE seq = ?1"
        )
    }

    func find(_ delivery: Int64) throws(SQLiteError) -> StoredDelivery? {
        look.bind(delivery, at: 1)
        defer { look.reset() }
        return try look.step() ? StoredDelivery(delivery, look) : nil
    }

    func write(_ new: DeliveryState, over old: StoredDelivery) throws(SQLiteError) {
        var steps = old.state
        steps.status = new.status
        steps.moments = new.moments
        if steps == new { try writeSteps(of: new, old.sequence) } else { try writeAll(of: new, over: old) }
    }

    private func writeSteps(of new: DeliveryState, _ delivery: Int64) throws(SQLiteError) {
        writeSteps.bind(delivery, at: 1)
        writeSteps.bind(StatusCode.of(new.status), at: 2)
        writeSteps.bind(new.moments.sent, at: 3)
        writeSteps.bind(new.moments.delivered, at: 4)
        writeSteps.bind(new.moments.read, at: 5)
        writeSteps.bind(new.moments.closed, at: 6)
        try writeSteps.run()
    }

    private func writeAll(of new: DeliveryState, over old: StoredDelivery) throws(SQLiteError) {
        write.bind(old.sequence, at: 1)
        write.bind(old.queueKey & Queue.laneBits | Int64(new.parking) << 40, at: 2)
        write.bind(new.isOpen ? 1 : 0, at: 3)
        write.bind(StatusCode.of(new.status), at: 4)
        write.bind(Int64(new.attempts), at: 5)
        write.bind(new.due, at: 6)
        write.bind(new.moments.sent, at: 7)
        write.bind(new.moments.delivered, at: 8)
        write.bind(new.moments.read, at: 9)
        write.bind(new.moments.closed, at: 10)
        write.bind(new.channel, at: 11)
        write.bind(new.sms.state.map(TextCode.of), at: 12)
        write.bind(new.sms.phone, at: 13)
        write.bind(new.device, at: 14)
        try write.run()
    }
}

/// A delivery as its row has it.
struct StoredDelivery {
    let sequence: Int64
    let notification: Int64
    let queueKey: Int64
    let state: DeliveryState

    var pipeline: Int64 { Queue.pipeline(ofKey: queueKey) }

    fileprivate init(_ delivery: Int64, _ row: Statement) {
        sequence = delivery
        notification = row.integer(0)
        queueKey = row.integer(1)
        state = DeliveryState(
            isOpen: row.integer(2) != 0,
            status: StatusCode.status(row.integer(3)),
            attempts: Int(row.integer(4)),
            due: row.dueTime(5),
            parking: Int32(truncatingIfNeeded: queueKey >> 40),
            moments: DeliveryState.Moments(
                sent: row.optionalWallTime(6),
                delivered: row.optionalWallTime(7),
                read: row.optionalWallTime(8),
                closed: row.optionalWallTime(9)
            ),
            channel: row.optionalText(10),
            device: row.optionalInteger(14),
            sms: DeliveryState.SMS(
                at: row.optionalDueTime(11),
                state: row.optionalInteger(12).map(TextCode.state),
                phone: row.optionalText(13)
            )
        )
    }
}
