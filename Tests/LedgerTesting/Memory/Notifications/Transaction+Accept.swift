// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

extension Transaction {
    /// Keeps a notification and its deliveries, which are this node's.
    mutating func accept(_ acceptance: Acceptance) -> AcceptanceResult {
        let closed = acceptance.dropReason == nil ? places(closedIn: acceptance) : []
        if acceptance.notification.requiresKnownRecipients, !closed.isEmpty { return .unknownRecipient }
        let isWanted = tables.callbacks.wantsUnconfirmed(acceptance.pipeline)
        let aftermath = NotificationRule.aftermath(of: acceptance.notification, unconfirmedIsWanted: isWanted)
        guard let row = tables.notifications.insert(acceptance, aftermath: aftermath) else { return .duplicate }
        for (sequence, place) in zip(row.deliveries, acceptance.deliveries.indices) {
            let isOpen = !closed.contains(place)
            tables.deliveries[sequence] = DeliveryRow(sequence, row, acceptance, place, isOpen: isOpen, owner: lease)
        }
        if let reason = acceptance.dropReason { end(row, because: reason) }
        let ended = acceptance.dropReason == nil ? closed : Array(acceptance.deliveries.indices)
        let first = row.deliveries.lowerBound
        let accepted = AcceptedNotification(
            acceptance: acceptance,
            sequence: row.sequence,
            firstDelivery: first,
            closed: ended
        )
        tell(.accepted([accepted]), in: acceptance.pipeline, onThisNodeOnly: true)
        return .accepted(notification: row.sequence, firstDelivery: first, closed: ended)
    }

    /// The places, in rising order, of those for whom there is nothing to do.
    private func places(closedIn acceptance: Acceptance) -> [Int] {
        acceptance.deliveries.indices.filter { place in
            let delivery = acceptance.deliveries[place]
            return !(delivery.isOpen ?? tables.subscriptions.has(delivery.recipient, in: acceptance.pipeline))
        }
    }

    /// A stage dropped it: its deliveries end with their acceptance.
    private mutating func end(_ row: NotificationRow, because reason: String) {
        for delivery in row.deliveries {
            let end = Settlement(
                delivery: delivery,
                status: .sendingFailed,
                at: row.accepted,
                attempts: 0,
                outcomes: [DeviceOutcome(subscription: nil, channel: nil, problem: reason)]
            )
            _ = settle(end)
        }
    }
}
