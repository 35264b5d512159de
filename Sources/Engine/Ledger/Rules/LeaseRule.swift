// SPDX-License-Identifier: Apache-2.0

package import Bus

/// How long a node's right to work lasts, and what becomes of what it leaves: pure, on any thread.
package enum LeaseRule {
    /// How long a lease lasts that is not renewed, in milliseconds.
    package static let lasts: Int64 = 10_000

    /// Whether a lease still holds that ends then.
    package static func isHeld(until end: DueTime, now: DueTime) -> Bool { now < end }

    /// What follows for a delivery from another node's taking it over; `nil` where it goes on as it is.
    ///
    /// Nobody can say whether a gateway has it that was being asked, so it is never asked again: the delivery ends, and
    /// its timeline says that the outcome is unknown. A late report may still settle it.
    package static func reclaim(_ row: DeliveryState, asked channel: String, at now: WallTime) -> DeliveryChange? {
        guard row.isOpen, row.sms.state == .called else { return nil }
        let end = Settlement(
            delivery: 0,
            status: row.status == .queued ? .sent : row.status,
            at: now,
            attempts: row.attempts,
            channel: row.status == .queued ? channel : nil,
            sms: .called,
            notes: [.unknown(channel: channel, reason: "its node ended while the gateway was asked")],
            isSecret: true
        )
        return DeliveryRule.settle(row, end)
    }
}
