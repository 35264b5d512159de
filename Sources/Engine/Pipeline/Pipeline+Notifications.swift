// SPDX-License-Identifier: Apache-2.0

import Bus
import Threads

extension Pipeline {
    /// Keeps a notification and hands its deliveries to the dispatcher; returns once it is on disk.
    func accept(_ notification: Notification) async -> Reply {
        let recipients = merged(notification.recipients)
        let known: [Bool]
        switch await completed({ ledger.areSubscribed(recipients.map(\.recipient), in: number, completion: $0) }) {
        case .failure(let error): return reply(error)
        case .success(let answer): known = answer
        }
        let now = Clock.wallMilliseconds()
        let fallback = phones.fallbackTime(for: notification, acceptedAt: now)
        // Whoever has no device has no phone either, unless the bank told it.
        let hasPhone = fallback != nil && notification.taggedPhone != nil
        if notification.requiresKnownRecipients, known.contains(false), !hasPhone {
            return .refused(Refusal(field: "recipients", "holds users who have no device"))
        }
        var deliveries = recipients
        for index in deliveries.indices { deliveries[index].isOpen = known[index] || hasPhone }
        let acceptance = Acceptance(
            pipeline: number,
            notification: notification,
            at: now,
            deliveries: deliveries,
            fallback: fallback
        )
        let result = await completed { completion in
            ledger.accept(acceptance) { [dispatcher] result in
                // Handed on here, on the writer's thread, so that nothing can settle before it was handed on.
                if case .success(.accepted(let sequence, let first)) = result {
                    dispatcher.accepted(acceptance, as: sequence, from: first)
                }
                completion(result)
            }
        }
        switch result {
        case .failure(let error): return reply(error)
        case .success(.duplicate): return .duplicate
        case .success(.accepted):
            metrics.acceptedOne()
            return .accepted(statuses(of: notification.recipients, deliveries))
        }
    }

    /// One delivery for each user, however often and in whatever spelling he was named.
    private func merged(_ recipients: [Recipient]) -> [NewDelivery] {
        guard recipients.count > 1 else {
            return recipients.map { NewDelivery(recipient: $0.id, spellings: [$0.spelling], isOpen: true) }
        }
        var deliveries: [NewDelivery] = []
        var positions: [RecipientID: Int] = [:]
        deliveries.reserveCapacity(recipients.count)
        for recipient in recipients {
            if let position = positions[recipient.id] {
                if !deliveries[position].spellings.contains(recipient.spelling) {
                    deliveries[position].spellings.append(recipient.spelling)
                }
            } else {
                positions[recipient.id] = deliveries.count
                deliveries.append(
                    NewDelivery(recipient: recipient.id, spellings: [recipient.spelling], isOpen: true)
                )
            }
        }
        return deliveries
    }

    /// One entry for each spelling, in the bank's order.
    private func statuses(of recipients: [Recipient], _ deliveries: [NewDelivery]) -> [RecipientStatus] {
        if recipients.count == deliveries.count {
            return zip(recipients, deliveries).map {
                RecipientStatus($0.spelling, $1.isOpen ? .queued : .invalidSubscription)
            }
        }
        var isOpen: [RecipientID: Bool] = [:]
        for delivery in deliveries { isOpen[delivery.recipient] = delivery.isOpen }
        var seen: Set<RecipientID> = []
        return recipients.compactMap { recipient in
            guard seen.insert(recipient.spelling).inserted else { return nil }
            return RecipientStatus(recipient.spelling, isOpen[recipient.id] == true ? .queued : .invalidSubscription)
        }
    }
}

extension Dispatcher {
    /// Takes what was just committed; only open deliveries are work.
    fileprivate func accepted(_ acceptance: Acceptance, as sequence: Int64, from first: Int64) {
        let notification = OutgoingNotification(
            notification: acceptance.notification,
            sequence: sequence,
            acceptedAt: acceptance.at
        )
        var open: [(sequence: Int64, recipient: RecipientID)] = []
        open.reserveCapacity(acceptance.deliveries.count)
        for (offset, delivery) in acceptance.deliveries.enumerated() where delivery.isOpen {
            open.append((first + Int64(offset), delivery.recipient))
        }
        if !open.isEmpty { accepted(notification, open, fallback: acceptance.fallback) }
    }
}
