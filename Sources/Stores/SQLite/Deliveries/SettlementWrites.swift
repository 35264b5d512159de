// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for what became of deliveries.
///
/// All deliveries are this node's: there is no other. A store of several nodes has the condition of the lease in the
/// same places, in ``PlainSettlements`` and where the row is found.
struct SettlementWrites {
    private let changes: DeliveryChanges
    private let plain: PlainSettlements
    private let lastSeen: LastSeenWrites

    init(_ connection: Connection, changes: DeliveryChanges, lastSeen: LastSeenWrites) throws(SQLiteError) {
        self.changes = changes
        self.lastSeen = lastSeen
        plain = try PlainSettlements(connection)
    }

    func settle(_ settlement: Settlement) throws(SQLiteError) {
        if let subscription = settlement.successOf { try lastSeen.noteSuccess(of: subscription, at: settlement.at) }
        if try plain.write(settlement) { return }
        guard let delivery = try changes.rows.find(settlement.delivery),
            let change = DeliveryRule.settle(delivery.state, settlement)
        else { return }
        try changes.apply(change, to: delivery)
    }

    /// Writes that a gateway is about to be asked; returns `false`, with the delivery closed, where that is not to be.
    func intend(_ intent: Settlement) throws(SQLiteError) -> Bool {
        if let subscription = intent.successOf { try lastSeen.noteSuccess(of: subscription, at: intent.at) }
        guard let delivery = try changes.rows.find(intent.delivery),
            let change = DeliveryRule.intend(delivery.state, intent)
        else { return false }
        try changes.apply(change, to: delivery)
        return change.holds
    }
}
