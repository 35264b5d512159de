// SPDX-License-Identifier: Apache-2.0

import Bus
import Threads

extension Pipeline {
    /// Recipients that the ledger looks up while it accepts; more are looked up before, beside the writer, which
    /// everybody waits for.
    private static let lookedUpWhenAccepted = 16
    /// Recipients looked up at once: urgent ones and whoever waits for an answer go between.
    private static let lookedUpAtOnce = 512

    /// Lets a notification through the gate behind all stages: no module or stage hands on what is broken.
    func pass(_ notification: Notification) async -> Reply {
        let problems = notification.problems
        return problems.isEmpty ? await accept(notification) : .refused(Refusal(fields: problems))
    }

    /// Keeps a notification and hands its deliveries to the dispatcher; returns once it is on disk.
    func accept(_ notification: Notification) async -> Reply {
        let now = ledger.schedule.read()
        let fallback = phones.fallbackTime(for: notification, at: now)
        var merged = MergedRecipients(notification.recipients)
        if fallback != nil, notification.taggedPhone != nil {
            // Whoever has no device has no phone either, unless the bank told it.
            merged.know { _ in true }
        } else if merged.deliveries.count > Self.lookedUpWhenAccepted {
            switch await areSubscribed(merged.deliveries) {
            case .failure(let error): return reply(error)
            case .success(let known): merged.know { known[$0] }
            }
        }
        return await keep(notification, to: merged, at: now, fallback: fallback)
    }

    private func areSubscribed(_ deliveries: [NewDelivery]) async -> Result<[Bool], LedgerError> {
        var known: [Bool] = []
        known.reserveCapacity(deliveries.count)
        for start in stride(from: 0, to: deliveries.count, by: Self.lookedUpAtOnce) {
            let page = deliveries[start..<min(start + Self.lookedUpAtOnce, deliveries.count)].map(\.recipient)
            switch await completed({ ledger.areSubscribed(page, in: number, completion: $0) }) {
            case .failure(let error): return .failure(error)
            case .success(let answers): known += answers
            }
        }
        return .success(known)
    }

    /// Keeps a notification to recipients; with a `dropReason` nothing is sent, and all of them end with it.
    func keep(
        _ notification: Notification,
        to merged: MergedRecipients,
        at now: ClockReading,
        fallback: DueTime? = nil,
        dropReason: String? = nil
    ) async -> Reply {
        let acceptance = Acceptance(
            pipeline: number,
            notification: notification,
            at: now.wall,
            due: now.due,
            deliveries: merged.deliveries,
            order: merged.order,
            fallback: fallback,
            dropReason: dropReason
        )
        let isDropped = dropReason != nil
        switch await completed({ ledger.accept(acceptance, completion: $0) }) {
        case .failure(let error): return reply(error)
        case .success(.duplicate): return .duplicate
        case .success(.unknownRecipient):
            return .refused(Refusal(field: "recipients", "holds users who have no device"))
        case .success(.accepted(_, _, let closed)):
            metrics.acceptedOne()
            let end: DeliveryStatus = isDropped ? .sendingFailed : .invalidSubscription
            if !closed.isEmpty { metrics.ended(end, channel: nil, count: closed.count) }
            // Whoever sent it hears that it was taken, as of every other.
            return .accepted(statuses(of: acceptance, isDropped ? [] : closed))
        }
    }

    /// One entry for each spelling, in the bank's order; `closed` are places among the deliveries.
    private func statuses(of acceptance: Acceptance, _ closed: [Int]) -> [RecipientStatus] {
        let recipients = acceptance.notification.recipients
        if closed.isEmpty, recipients.count == acceptance.deliveries.count {
            return recipients.map { RecipientStatus($0.spelling, .queued) }
        }
        let unknown = Set(closed.map { acceptance.deliveries[$0].recipient })
        var seen: Set<RecipientID> = []
        return recipients.compactMap { recipient in
            guard seen.insert(recipient.spelling).inserted else { return nil }
            return RecipientStatus(recipient.spelling, unknown.contains(recipient.id) ? .invalidSubscription : .queued)
        }
    }
}
