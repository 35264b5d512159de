// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

extension Transaction {
    /// Erases a PIN code that no delivery needs any more.
    mutating func eraseIfRead(_ notification: Int64) {
        guard let row = tables.notifications[notification], row.aftermath.erases,
            !tables.deliveries(of: row).contains(where: \.state.needsContent)
        else { return }
        erase(notification)
    }

    private mutating func erase(_ notification: Int64) {
        tables.notifications.update(notification) {
            $0.content = $0.content.erased
            $0.aftermath.erases = false
        }
    }

    /// Looks after notifications whose time has passed; returns how many there were.
    mutating func conclude(_ pipeline: PipelineNumber, now: WallTime, limit: Int) -> Int {
        let passed = tables.notifications.rows.values.filter { row in
            row.pipeline == pipeline && row.aftermath.any
                && RetentionRule.isOver(
                    accepted: row.accepted,
                    expires: row.expires,
                    hasOpen: tables.deliveries(of: row).contains(where: \.state.isOpen),
                    now: now
                )
        }
        let page = passed.sorted { ($0.expires, $0.sequence) < ($1.expires, $1.sequence) }.prefix(limit)
        for row in page {
            if row.aftermath.tellsUnconfirmed { tellUnconfirmed(of: row, at: now) }
            if row.aftermath.erases { erase(row.sequence) }
            tables.notifications.update(row.sequence) { $0.aftermath.tellsUnconfirmed = false }
        }
        return page.count
    }
}
