// SPDX-License-Identifier: Apache-2.0

import Bus

/// Deliveries whose notification the ledger cannot read: a damaged file, or another program's doing.
extension Dispatch {
    /// Ends one: operators and the bank are told, and it never stays open for ever.
    mutating func finishDamaged(_ delivery: Int64, at now: ClockReading) {
        guard let entry = entries[delivery] else { return }
        entries[delivery]?.round = Entry.Round()
        let problem = "what it was to say cannot be read: its row in the store is damaged"
        entries[delivery]?.round.outcomes = [DeviceOutcome(subscription: nil, channel: nil, problem: problem)]
        note(entry.notification)
        finish(delivery, expiredStatus(entry), at: now)
    }

    /// Tells operators, once for all recipients that follow one another.
    private mutating func note(_ notification: OutgoingNotification) {
        guard lastDamaged != notification.sequence else { return }
        lastDamaged = notification.sequence
        let what = "a notification's row in the store is damaged: it ends SENDING_FAILED"
        let which = "notification \(notification.notification.id), row \(notification.sequence)"
        actions.append(.note(.error, what, channel: "", reason: which))
    }
}
