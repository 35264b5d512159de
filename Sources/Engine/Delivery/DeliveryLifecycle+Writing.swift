// SPDX-License-Identifier: Apache-2.0

import Bus

/// What the ledger and watchers are told of a delivery.
extension DeliveryLifecycle {
    /// Writes how far a delivery is; `nextAttempt` is `nil` at its end.
    func write(
        _ delivery: InFlightDelivery,
        nextAttempt: MonotonicTime?,
        parking: Int32? = nil,
        at now: ClockReading
    ) {
        let isDue = nextAttempt != nil && delivery.fallback?.isDue == true
        if isDue { delivery.marks.insert(.dueWritten) }
        let settlement = Settlement(
            delivery: delivery.sequence,
            status: delivery.status,
            at: now.wall,
            nextAttempt: nextAttempt.map(now.due),
            attempts: delivery.attempts,
            channel: delivery.round.acceptedBy?.label,
            device: delivery.round.acceptedOn,
            finishedDevices: nextAttempt == nil ? [] : delivery.devices.written,
            successOf: delivery.round.successOf,
            parking: parking,
            outcomes: delivery.round.outcomes,
            sms: delivery.round.sms ?? (isDue ? .due : nil),
            phone: isDue || delivery.devices.keepsPhone && nextAttempt != nil ? delivery.fallback?.phone : nil,
            notes: delivery.round.notes,
            isSecret: delivery.notification.notification.content.type == .pinCode
        )
        parts.outbox.append(settlement, of: delivery)
        delivery.writes += 1
        if parts.isObserved, parking ?? 0 == 0 { observe(delivery, nextAttempt: nextAttempt, at: now) }
    }

    private func observe(_ delivery: InFlightDelivery, nextAttempt: MonotonicTime?, at now: ClockReading) {
        let event = DeliveryEvent(
            notification: delivery.notification.notification.id,
            recipient: delivery.recipient,
            status: delivery.status,
            channel: delivery.round.acceptedBy?.label,
            problem: delivery.round.problem,
            nextAttempt: nextAttempt.map(now.wall),
            at: now.wall
        )
        parts.actions.append(.observe(event))
    }
}
