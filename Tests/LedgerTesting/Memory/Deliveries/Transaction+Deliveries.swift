// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

extension Transaction {
    /// Whether a delivery is this node's to write.
    private func owns(_ row: DeliveryRow) -> Bool { holdsLease && row.owner == lease }

    /// Writes what became of a delivery; says whether that was this node's to write.
    mutating func settle(_ settlement: Settlement) -> Bool {
        guard holdsLease else { return false }
        if let row = tables.deliveries[settlement.delivery] {
            guard owns(row) else { return false }
            if let change = DeliveryRule.settle(row.state, settlement) { apply(change, to: row.sequence) }
        }
        noteSuccess(of: settlement)
        return true
    }

    /// Writes that a gateway is about to be asked; says whether it may be.
    mutating func intend(_ intent: Settlement) -> Bool {
        guard let row = tables.deliveries[intent.delivery], owns(row) else { return false }
        noteSuccess(of: intent)
        guard let change = DeliveryRule.intend(row.state, intent) else { return false }
        apply(change, to: row.sequence)
        return change.holds
    }

    /// Writes what a rule says.
    mutating func apply(_ change: DeliveryChange, to delivery: Int64) {
        guard var row = tables.deliveries.removeValue(forKey: delivery) else { return }
        row.state = change.row
        switch change.devices {
        case .kept: break
        case .adding(let devices): row.devices.formUnion(devices)
        case .dropped: row.devices = []
        }
        row.steps += change.entries.map { entry in
            TimelineRow(entry) { tables.subscriptions.device(of: $0) }
        }
        tables.deliveries[delivery] = row
        for kind in change.news { tellBanks(kind, of: row, at: change.at) }
        if let deadLettering = change.deadLettering { deadLetter(row, deadLettering, at: change.at) }
        if change.mayErase { eraseIfRead(row.notification) }
    }

    private mutating func noteSuccess(of settlement: Settlement) {
        guard let subscription = settlement.successOf else { return }
        noteSign(of: subscription, at: settlement.at, \.lastSuccess)
    }

    // MARK: What phones and gateways tell

    /// Keeps a receipt that the device had not told before.
    mutating func receive(_ receipt: NewReceipt) -> KeptReceipt {
        guard let row = tables.deliveries[receipt.delivery],
            !row.receipts.contains(where: { $0.subscription == receipt.subscription && $0.event == receipt.event })
        else { return KeptReceipt(.known) }
        let result = DeliveryRule.result(of: row.state)
        let change = DeliveryRule.receive(row.state, receipt.event, at: receipt.at)
        apply(change, to: receipt.delivery)
        tables.deliveries[receipt.delivery]?.receipts.append(
            ReceiptRow(
                subscription: receipt.subscription,
                event: receipt.event,
                at: receipt.at,
                button: receipt.button
            )
        )
        noteSign(of: receipt.subscription, at: receipt.at, \.seen)
        if result == .ended { tell(.closed(delivery: receipt.delivery), in: receipt.pipeline) }
        return KeptReceipt(result, reached: change.reached)
    }

    /// Keeps what a gateway told of a text message.
    mutating func receive(_ report: NewGatewayReport) -> KeptReport {
        guard let row = tables.deliveries[report.delivery], row.pipeline == report.pipeline,
            DeliveryRule.knowsReports(row.state)
        else { return KeptReport(isKnown: false) }
        let change = DeliveryRule.receive(row.state, report.fate, of: row.textChannel, at: report.at)
        if let change { apply(change, to: report.delivery) }
        return KeptReport(isKnown: true, reached: change?.reached)
    }

    // MARK: Waits

    /// Brings what waits longer than until a moment forward to it.
    mutating func capWaits(_ pipeline: PipelineNumber, at latest: DueTime) {
        for row in tables.deliveries.values where row.pipeline == pipeline && row.state.isOpen {
            if row.state.due > latest { tables.deliveries[row.sequence]?.state.due = latest }
        }
        tables.callbacks.capWaits(pipeline, at: latest)
    }
}
