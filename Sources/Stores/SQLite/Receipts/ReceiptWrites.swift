// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for what phones tell.
struct ReceiptWrites {
    private let connection: Connection
    private let changes: DeliveryChanges
    private let lastSeen: LastSeenWrites
    private let insert: Statement
    private let noteEvent: Statement
    private let dropOldEvents: Statement

    init(_ connection: Connection, changes: DeliveryChanges, lastSeen: LastSeenWrites) throws(SQLiteError) {
        self.connection = connection
        self.changes = changes
        self.lastSeen = lastSeen
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        insert = try prepare(
            """
            INSERT INTO receipt (delivery, subscription, kind, at, button) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT DO NOTHING
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
        guard let delivery = try changes.rows.find(receipt.delivery) else { return KeptReceipt(.known) }
        insert.bind(receipt.delivery, at: 1)
        insert.bind(receipt.subscription, at: 2)
        insert.bind(ReceiptCode.of(receipt.event), at: 3)
        insert.bind(receipt.at, at: 4)
        insert.bind(receipt.button, at: 5)
        try insert.run()
        guard connection.changes == 1 else { return KeptReceipt(.known) }
        let change = DeliveryRule.receive(delivery.state, receipt.event, at: receipt.at)
        try changes.apply(change, to: delivery)
        try lastSeen.noteReceipt(of: receipt.subscription, at: receipt.at)
        return KeptReceipt(DeliveryRule.result(of: delivery.state), reached: change.reached)
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
