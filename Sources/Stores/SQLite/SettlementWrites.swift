// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite

/// The writer's statements for what became of deliveries.
struct SettlementWrites {
    private let connection: Connection
    private let callbacks: CallbackWrites
    private let close: Statement
    private let reschedule: Statement
    private let raise: Statement
    private let addDevice: Statement
    private let dropDevices: Statement
    private let addEvent: Statement
    private let noteSuccess: Statement

    // Statuses go up only; one of ours (expired, failed, invalid) never replaces another.
    private static let steps = """
        status = CASE WHEN ?2 > status AND (status = 0 OR ?2 >= \(StatusCode.firstTaken)) THEN ?2 ELSE status END,
        sent = CASE WHEN ?2 >= 4 THEN coalesce(sent, ?3) ELSE sent END,
        delivered = CASE WHEN ?2 >= 5 THEN coalesce(delivered, ?3) ELSE delivered END,
        read = CASE WHEN ?2 >= 6 THEN coalesce(read, ?3) ELSE read END,
        channel = coalesce(?4, channel)
        """

    init(_ connection: Connection, callbacks: CallbackWrites) throws(SQLiteError) {
        self.connection = connection
        self.callbacks = callbacks
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        close = try prepare(
            """
            UPDATE delivery SET open = 0, attempts = ?5, closed = CASE WHEN ?2 < 4 THEN ?3 END, \(Self.steps)
            WHERE seq = ?1 AND open
            """
        )
        reschedule = try prepare(
            """
            UPDATE delivery SET due = ?6, attempts = ?5, \(Self.steps),
                queue = CASE WHEN ?7 IS NULL THEN queue ELSE (queue & \(Queue.laneBits)) | (?7 << 40) END
            WHERE seq = ?1 AND open
            """
        )
        raise = try prepare("UPDATE delivery SET \(Self.steps) WHERE seq = ?1 AND NOT open AND status < ?2")
        addDevice = try prepare("INSERT INTO attempt (delivery, device) VALUES (?1, ?2) ON CONFLICT DO NOTHING")
        dropDevices = try prepare("DELETE FROM attempt WHERE delivery = ?1")
        addEvent = try prepare("INSERT INTO event (delivery, at, text) VALUES (?1, ?2, ?3)")
        noteSuccess = try prepare(
            """
            UPDATE subscription SET last_success = ?2 WHERE seq = ?1 AND coalesce(last_success, 0)
                <= ?2 - (SELECT sign_interval FROM pipeline WHERE number = subscription.pipeline)
            """
        )
    }

    func settle(_ settlement: Settlement) throws(SQLiteError) {
        if let next = settlement.nextAttempt {
            reschedule.bind(next, at: 6)
            reschedule.bind(settlement.parking.map(Int64.init), at: 7)
            try update(reschedule, settlement)
        } else {
            try update(close, settlement)
        }
        if connection.changes == 1 {
            try keepDevices(settlement)
            if let event = settlement.event { try add(event, settlement) }
            if settlement.nextAttempt == nil { try callbacks.tell(settlement) }
        } else if StatusCode.of(settlement.status) >= StatusCode.firstTaken {
            // Closed before (by a sweep, say), and yet the provider or the phone had it.
            try raiseClosed(settlement)
        }
        if let subscription = settlement.successOf {
            noteSuccess.bind(subscription, at: 1)
            noteSuccess.bind(settlement.at, at: 2)
            try noteSuccess.run()
        }
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

    private func add(_ event: String, _ settlement: Settlement) throws(SQLiteError) {
        addEvent.bind(settlement.delivery, at: 1)
        addEvent.bind(settlement.at, at: 2)
        addEvent.bind(event, at: 3)
        try addEvent.run()
    }
}
