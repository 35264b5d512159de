// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import Threads

/// Sends codes as text messages past the queue: their users are waiting, and tomorrow they are worth nothing.
struct CodeSender: Sendable {
    /// How long a user waits for the answer to his registration, in nanoseconds.
    private static let patience: Nanoseconds = 10_000_000_000

    /// Hands the one report of a delivery to the one who waits for it.
    private struct Waiting: DeliverySink {
        let continuation: CheckedContinuation<Outcome, Never>

        func report(_ reports: [DeliveryReport]) {
            for report in reports { continuation.resume(returning: report.outcome) }
        }
    }

    let channel: any OutboundChannel

    /// Sends a text to a phone; it is worth so many seconds.
    func send(_ text: String, to phone: String, lasting seconds: Int) async -> Outcome {
        let content = PushContent(badge: 0, text: text, type: .message)
        let notification = Notification(
            id: NotificationID("code"),
            recipients: [],
            timeout: seconds,
            content: content
        )
        let now = Clock.wallMilliseconds()
        let delivery = Delivery(
            ticket: 0,
            // The ledger has none of it: a late report of the gateway finds nothing.
            sequence: 0,
            notification: OutgoingNotification(notification: notification, sequence: 0, acceptedAt: now),
            address: .phone(phone),
            messageID: MessageID(high: SecureRandom.integer(), low: SecureRandom.integer()),
            expiration: now / 1_000 + Int64(seconds),
            deadline: Clock.now() + Self.patience
        )
        return await withCheckedContinuation { channel.send([delivery], to: Waiting(continuation: $0)) }
    }
}
