// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto

/// What attempts are made under: whose they are, and how long a channel has for one.
struct AttemptTerms: Sendable {
    /// How long after a text message may have gone out a provider may still hand over a push, in milliseconds.
    private static let overlap: Int64 = 30_000

    let identity: LedgerIdentity
    /// How long a channel has for one attempt, in milliseconds.
    let timeout: Int64

    /// What a channel is given for an attempt; `fallback` is until when pushes have the time, where a text message may
    /// follow.
    func attempt(
        _ ticket: Ticket,
        of delivery: InFlightDelivery,
        to address: Address,
        fallback: MonotonicTime? = nil,
        at now: ClockReading
    ) -> Delivery {
        let notification = delivery.notification
        let content = notification.notification
        let left = content.timeout == 0 ? .max : notification.expiresAt.milliseconds(since: now.wall)
        let mayStore = content.timeout > 0 && !content.isPerishable
        return Delivery(
            ticket: ticket.rawValue,
            sequence: delivery.sequence,
            notification: notification.shown,
            address: address,
            messageID: identity.messageID(delivery.sequence, address.number),
            expiration: mayStore ? Self.expiration(notification, fallback, now) : nil,
            deadline: now.monotonic.adding(milliseconds: max(1_000, min(timeout, left))),
            // A second push does harm where a text message takes its place, or where one attempt is asked for.
            mayRepeat: fallback == nil && mayStore
        )
    }

    /// When the provider may stop trying.
    private static func expiration(
        _ notification: OutgoingNotification,
        _ fallback: MonotonicTime?,
        _ now: ClockReading
    ) -> WallTime {
        let limit = fallback.map { now.wall(at: $0).adding(milliseconds: overlap) }
        return min(notification.expiresAt, limit ?? .distantFuture)
    }
}

extension Address {
    /// The number that stands for it in a message id.
    fileprivate var number: Int64 {
        switch self {
        case .device(let device): device.subscription
        case .phone: LedgerIdentity.phone
        }
    }
}
