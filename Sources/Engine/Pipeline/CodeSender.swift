// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import Synchronization

/// Sends codes as text messages past the queue: their users are waiting, and tomorrow they are worth nothing.
struct CodeSender: Sendable {
    /// How long a user waits for the answer to their registration, in milliseconds.
    private static let patience: Int64 = 10_000

    /// Hands the first report of a delivery to the one who waits for it; a channel that tells more, or nothing, does
    /// no harm.
    private final class Waiting: DeliverySink {
        private let continuation = Mutex<CheckedContinuation<Outcome, Never>?>(nil)

        func begin(_ continuation: CheckedContinuation<Outcome, Never>) {
            self.continuation.withLock { $0 = continuation }
        }

        func report(_ reports: [DeliveryReport]) {
            guard let first = reports.first else { return }
            let waiting = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            waiting?.resume(returning: first.outcome)
        }
    }

    let channel: any OutboundChannel
    /// After how long a channel counts as silent: beyond its deadline and the seconds that it may take to tell.
    var silence = Duration.seconds(15)

    /// Sends a text to a phone; it is worth so many seconds.
    func send(_ text: String, to phone: String, lasting seconds: Int) async -> Outcome {
        let content = PushContent(badge: 0, text: text, type: .message)
        let notification = Notification(
            id: NotificationID("code"),
            recipients: [],
            timeout: seconds,
            content: content
        )
        let now = WallTime.now()
        let delivery = Delivery(
            ticket: 0,
            // The ledger has none of it: a late report of the gateway finds nothing.
            sequence: 0,
            notification: OutgoingNotification(notification: notification, sequence: 0, acceptedAt: now),
            address: .phone(phone),
            messageID: MessageID(high: SecureRandom.integer(), low: SecureRandom.integer()),
            expiration: now.adding(seconds: Int64(seconds)),
            deadline: MonotonicTime.now().adding(milliseconds: Self.patience)
        )
        let waiting = Waiting()
        let timer = Task {
            try await Task.sleep(for: silence)
            let outcome = Outcome.unknown(reason: "the channel told no outcome")
            waiting.report([DeliveryReport(ticket: delivery.ticket, outcome: outcome)])
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { continuation in
            waiting.begin(continuation)
            channel.send([delivery], to: waiting)
        }
    }
}
