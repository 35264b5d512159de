// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for what became of deliveries.
///
/// Who owns a delivery is a question of the same row: a lease's condition belongs to ``PlainSettlements`` and to
/// ``settle(_:)`` where it has found the row.
struct SettlementWrites {
    private let changes: DeliveryChanges
    private let plain: PlainSettlements
    private let signs: SignWrites

    init(_ connection: Connection, changes: DeliveryChanges, signs: SignWrites) throws(SQLiteError) {
        self.changes = changes
        self.signs = signs
        plain = try PlainSettlements(connection)
    }

    /// Returns whether it held; `false` where the delivery was over before.
    @discardableResult
    func settle(_ settlement: Settlement) throws(SQLiteError) -> Bool {
        if let subscription = settlement.successOf { try signs.noteSuccess(of: subscription, at: settlement.at) }
        if try plain.write(settlement) { return true }
        guard let delivery = try changes.rows.find(settlement.delivery),
            let change = DeliveryRule.settle(delivery.state, settlement)
        else { return false }
        try changes.apply(change, to: delivery)
        return change.holds
    }

    /// Writes that a gateway is about to be asked; returns `false`, with the delivery closed, where that is not to be.
    func intend(_ intent: Settlement) throws(SQLiteError) -> Bool {
        if let subscription = intent.successOf { try signs.noteSuccess(of: subscription, at: intent.at) }
        guard let delivery = try changes.rows.find(intent.delivery),
            let change = DeliveryRule.intend(delivery.state, intent)
        else { return false }
        try changes.apply(change, to: delivery)
        return change.holds
    }
}
