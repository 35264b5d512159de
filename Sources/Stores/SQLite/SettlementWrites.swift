// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for what became of deliveries.
struct SettlementWrites {
    private let connection: Connection
    private let callbacks: CallbackWrites
    private let texts: TextWrites
    private let events: EventWrites
    private let close: Statement
    private let reschedule: Statement
    private let intend: Statement
    private let raise: Statement
    private let addDevice: Statement
    private let dropDevices: Statement
    private let noteSuccess: Statement

    // Statuses go up only; one of ours (expired, failed, invalid) never replaces another.
    private static let steps = """
        status = CASE WHEN ?2 > status AND (status = 0 OR ?2 >= \(StatusCode.firstTaken)) THEN ?2 ELSE status END,
        sent = CASE WHEN ?2 >= 4 THEN coalesce(sent, ?3) ELSE sent END,
        delivered = CASE WHEN ?2 >= 5 THEN coalesce(delivered, ?3) ELSE delivered END,
        read = CASE WHEN ?2 >= 6 THEN coalesce(read, ?3) ELSE read END,
        channel = coalesce(?4, channel),
        device = coalesce(device, ?8)
        """

    init(
        _ connection: Connection,
        callbacks: CallbackWrites,
        texts: TextWrites,
        events: EventWrites
    ) throws(SQLiteError) {
        self.connection = connection
        self.callbacks = callbacks
        self.texts = texts
        self.events = events
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        close = try prepare(
            """
            UPDATE delivery SET open = 0, phone = NULL, attempts = ?5, closed = CASE WHEN ?2 < 4 THEN ?3 END, \(Self.steps)
            WHERE seq = ?1 AND open
            """
        )
        let later = """
            UPDATE delivery SET due = ?6, attempts = ?5, \(Self.steps),
                queue = CASE WHEN ?7 IS NULL THEN queue ELSE (queue & \(Queue.laneBits)) | (?7 << 40) END
            WHERE seq = ?1 AND open
            """
        reschedule = try prepare(later)
        intend = try prepare("\(later) AND status < \(StatusCode.of(.delivered))")
        raise = try prepare(
            """
            UPDATE delivery SET \(Self.steps)
            WHERE seq = ?1 AND NOT open AND status < ?2 AND text_state IS NOT \(TextCode.of(.failed))
            """
        )
        addDevice = try prepare("INSERT INTO attempt (delivery, device) VALUES (?1, ?2) ON CONFLICT DO NOTHING")
        dropDevices = try prepare("DELETE FROM attempt WHERE delivery = ?1")
        noteSuccess = try prepare(
            """
            UPDATE subscription SET last_success = ?2 WHERE seq = ?1 AND coalesce(last_success, 0)
                <= ?2 - (SELECT sign_interval FROM pipeline WHERE number = subscription.pipeline)
            """
        )
    }

    func settle(_ settlement: Settlement) throws(SQLiteError) {
        if settlement.nextAttempt == nil {
            try update(close, settlement)
        } else {
            try postpone(reschedule, settlement)
        }
        if connection.changes == 1 {
            try keepDevices(settlement)
            try addEvents(of: settlement)
            if settlement.text == nil, settlement.phone == nil {
                if settlement.nextAttempt == nil {
                    try callbacks.tell(settlement)
                    // A receipt can be faster than the provider's answer: it found the delivery open.
                    if settlement.isSecret { try texts.eraseIfRead(settlement.delivery) }
                }
            } else {
                try keepText(of: settlement)
            }
        } else if StatusCode.of(settlement.status) >= StatusCode.firstTaken {
            // Closed before (by a sweep, say), and yet the provider or the phone had it.
            try raiseClosed(settlement)
        }
        try noteSuccess(of: settlement)
    }

    /// Writes that a gateway is about to be asked; returns `false`, with the delivery closed, where that is not to be.
    func intend(_ settlement: Settlement) throws(SQLiteError) -> Bool {
        try postpone(intend, settlement)
        let isIntended = connection.changes == 1
        if isIntended {
            try keepDevices(settlement)
            try addEvents(of: settlement)
            try texts.keep(.called, of: settlement.delivery)
        } else {
            try texts.endKnown(settlement.delivery)
        }
        try noteSuccess(of: settlement)
        return isIntended
    }

    private func keepText(of settlement: Settlement) throws(SQLiteError) {
        for case .refused(let channel, let reason) in settlement.notes where settlement.text == .failed {
            return try texts.fail(
                settlement.delivery,
                because: reason,
                of: channel,
                attempts: settlement.attempts,
                at: settlement.at
            )
        }
        try texts.keep(settlement.text, settlement.phone, of: settlement.delivery)
        guard settlement.nextAttempt == nil else { return }
        try callbacks.tell(settlement)
        try texts.eraseIfRead(settlement.delivery)
    }

    private func noteSuccess(of settlement: Settlement) throws(SQLiteError) {
        guard let subscription = settlement.successOf else { return }
        noteSuccess.bind(subscription, at: 1)
        noteSuccess.bind(settlement.at, at: 2)
        try noteSuccess.run()
    }

    private func postpone(_ statement: Statement, _ settlement: Settlement) throws(SQLiteError) {
        statement.bind(settlement.nextAttempt, at: 6)
        statement.bind(settlement.parking.map(Int64.init), at: 7)
        try update(statement, settlement)
    }

    private func update(_ statement: Statement, _ settlement: Settlement) throws(SQLiteError) {
        bindSteps(statement, settlement)
        statement.bind(Int64(settlement.attempts), at: 5)
        try statement.run()
    }

    private func raiseClosed(_ settlement: Settlement) throws(SQLiteError) {
        bindSteps(raise, settlement)
        try raise.run()
    }

    private func bindSteps(_ statement: Statement, _ settlement: Settlement) {
        statement.bind(settlement.delivery, at: 1)
        statement.bind(StatusCode.of(settlement.status), at: 2)
        statement.bind(settlement.at, at: 3)
        statement.bind(settlement.channel, at: 4)
        statement.bind(settlement.device, at: 8)
    }

    private func keepDevices(_ settlement: Settlement) throws(SQLiteError) {
        guard settlement.nextAttempt != nil else {
            dropDevices.bind(settlement.delivery, at: 1)
            return try dropDevices.run()
        }
        for device in settlement.finishedDevices {
            addDevice.bind(settlement.delivery, at: 1)
            addDevice.bind(device, at: 2)
            try addDevice.run()
        }
    }

    private func addEvents(of settlement: Settlement) throws(SQLiteError) {
        for outcome in settlement.outcomes { try events.add(outcome, to: settlement.delivery, at: settlement.at) }
        for note in settlement.notes { try events.add(note, to: settlement.delivery, at: settlement.at) }
    }
}
