// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

extension Transaction {
    /// Forgets about so many rows from a place on; returns where to go on, `nil` where nothing older is left.
    mutating func forget(before: WallTime, from place: RetentionPlace, limit: Int) -> RetentionPlace? {
        tables.deadLetters.forget(before: before, limit: limit)
        var left = limit
        let rows = tables.notifications.rows.values.filter { $0.sequence >= place.notification }
        for row in rows.sorted(by: { $0.sequence < $1.sequence }) {
            let isLast = row.sequence == tables.notifications.last
            guard RetentionRule.isOld(accepted: row.accepted, before: before, isLast: isLast) else { return nil }
            guard left > 0 else { return RetentionPlace(notification: row.sequence) }
            let isBegun = row.sequence == place.notification && place.isBegun
            if !isBegun, needs(of: row).any {
                left -= 1
                continue
            }
            // From the end, so that what is left is a shorter notification and no other shape.
            let gone = row.deliveries.suffix(left)
            for delivery in gone { tables.deliveries[delivery] = nil }
            left -= gone.count
            guard gone.count == row.deliveries.count else {
                tables.notifications.update(row.sequence) {
                    $0.deliveries = row.deliveries.lowerBound..<gone.lowerBound
                }
                return RetentionPlace(notification: row.sequence, isBegun: true)
            }
            tables.notifications.remove(row)
            left -= 1
        }
        return nil
    }

    private func needs(of row: NotificationRow) -> RetentionRule.Needs {
        RetentionRule.Needs(
            hasOpen: tables.deliveries(of: row).contains(where: \.state.isOpen),
            hasCallbacks: tables.callbacks.lines.values.contains { $0.notification == row.sequence },
            hasDeadLetters: tables.deadLetters.rows.values.contains { $0.notification == row.sequence },
            awaitsConfirmation: row.aftermath.tellsUnconfirmed
        )
    }
}
