// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// Writes what a rule says follows for a delivery: its row, and all that belongs to the same transaction.
struct DeliveryChanges {
    let rows: DeliveryRows
    let callbacks: CallbackWrites
    private let aftermath: AftermathWrites
    private let events: EventWrites
    private let addDevice: Statement
    private let dropDevices: Statement
    private let deadLetter: Statement

    init(
        _ connection: Connection,
        callbacks: CallbackWrites,
        aftermath: AftermathWrites
    ) throws(SQLiteError) {
        self.callbacks = callbacks
        self.aftermath = aftermath
        rows = try DeliveryRows(connection)
        events = try EventWrites(connection)
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        addDevice = try prepare("INSERT INTO attempt (delivery, device) VALUES (?1, ?2) ON CONFLICT DO NOTHING")
        dropDevices = try prepare("DELETE FROM attempt WHERE delivery = ?1")
        deadLetter = try prepare(
            """
            INSERT INTO dead_letter
                (link, notification, kind, deliveries, delivery_count, at, died, attempts, reason, channel)
            VALUES (0, ?1, ?2, ?3, 1, ?4, ?4, ?5, ?6, ?7)
            """
        )
    }

    func apply(_ change: DeliveryChange, to delivery: StoredDelivery) throws(SQLiteError) {
        try rows.write(change.row, over: delivery)
        try write(change.devices, of: delivery)
        for entry in change.entries { try events.add(entry, to: delivery.sequence) }
        for kind in change.news { try tell(kind, of: delivery, at: change.at) }
        if let deadLettering = change.deadLettering { try deadLetter(deadLettering, of: delivery, change) }
        if change.mayErase { try aftermath.eraseIfRead(delivery.notification) }
    }

    private func write(_ devices: DeliveryChange.Devices, of delivery: StoredDelivery) throws(SQLiteError) {
        switch devices {
        case .kept: break
        case .dropped:
            guard delivery.state.mayKeepDevices else { return }
            dropDevices.bind(delivery.sequence, at: 1)
            try dropDevices.run()
        case .adding(let devices):
            addDevice.bind(delivery.sequence, at: 1)
            for device in devices {
                addDevice.bind(device, at: 2)
                try addDevice.run()
            }
        }
    }

    private func tell(_ kind: BankEvent.Kind, of delivery: StoredDelivery, at: WallTime) throws(SQLiteError) {
        try callbacks.tell(
            kind,
            delivery: delivery.sequence,
            notification: delivery.notification,
            pipeline: delivery.pipeline,
            at: at
        )
    }

    private func deadLetter(
        _ deadLettering: DeliveryChange.DeadLettering,
        of delivery: StoredDelivery,
        _ change: DeliveryChange
    ) throws(SQLiteError) {
        deadLetter.bind(delivery.notification, at: 1)
        deadLetter.bind(KindCode.of(.failed), at: 2)
        deadLetter.bind(NumberListCodec.encode([delivery.sequence]), at: 3)
        deadLetter.bind(change.at, at: 4)
        deadLetter.bind(Int64(change.row.attempts), at: 5)
        deadLetter.bind(deadLettering.reason, at: 6)
        deadLetter.bind(deadLettering.channel, at: 7)
        try deadLetter.run()
    }
}
