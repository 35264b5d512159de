// SPDX-License-Identifier: Apache-2.0

import Bus
import Threads

extension Pipeline {
    /// The most steps of a timeline that are told.
    private static let longestTimeline = 10_000

    /// Keeps what a phone told of a notification.
    func receive(_ receipt: Receipt) async -> Reply {
        switch await receiver(receipt.subscriber, of: receipt.notification, receipt.credential) {
        case .failure(let denied): return denied.reply
        case .success(let receiver):
            guard let delivery = receiver.delivery else { return .notFound }
            let new = NewReceipt(
                pipeline: number,
                delivery: delivery,
                subscription: receiver.subscription.sequence,
                event: receipt.event,
                button: receipt.button,
                at: .now()
            )
            switch await completed({ ledger.receive(new, completion: $0) }) {
            case .failure(let error): return reply(error)
            case .success(let kept):
                metrics.reached(kept.reached)
                return .done
            }
        }
    }

    /// Answers with a notification's details where the subscriber's user was among its recipients.
    func details(of id: NotificationID, for subscriber: String, _ credential: Credential) async -> Reply {
        switch await receiver(subscriber, of: id, credential) {
        case .failure(let denied): return denied.reply
        case .success(let receiver):
            guard let delivery = receiver.delivery else { return .notFound }
            let now = WallTime.now()
            switch await completed({ ledger.details(ofDelivery: delivery, now: now, completion: $0) }) {
            case .failure(let error): return reply(error)
            case .success(let details): return details.map { .details($0) } ?? .notFound
            }
        }
    }

    /// Keeps that an app told an event.
    ///
    /// Its parameters are for stages; the ledger keeps name, time and number.
    func note(_ event: AppEvent) async -> Reply {
        let found = await completed { ledger.subscription(named: event.subscriber, in: number, completion: $0) }
        switch found.map({ $0.map { Receiver(subscription: $0, delivery: nil) } }) {
        case .failure(let error): return reply(error)
        case .success(let receiver):
            guard let subscription = allowed(receiver, event.credential)?.subscription else {
                return denial(event.credential)
            }
            let new = NewAppEvent(subscription: subscription.sequence, name: event.name, at: .now())
            switch await completed({ ledger.note(new, completion: $0) }) {
            case .failure(let error): return reply(error)
            case .success: return .done
            }
        }
    }

    /// Answers with the steps of a notification.
    func timeline(of id: NotificationID) async -> Reply {
        let steps = await completed {
            ledger.timeline(of: id, in: number, limit: Self.longestTimeline, completion: $0)
        }
        switch steps {
        case .failure(let error): return reply(error)
        case .success(let steps): return steps.map { .timeline($0) } ?? .notFound
        }
    }

    private struct Denied: Error {
        let reply: Reply
    }

    private func receiver(
        _ subscriber: String,
        of id: NotificationID,
        _ credential: Credential
    ) async -> Result<Receiver, Denied> {
        switch await completed({ ledger.receiver(subscriber, of: id, in: number, completion: $0) }) {
        case .failure(let error): return .failure(Denied(reply: reply(error)))
        case .success(let found):
            guard let receiver = allowed(found, credential) else {
                return .failure(Denied(reply: denial(credential)))
            }
            return .success(receiver)
        }
    }

    private func allowed(_ receiver: Receiver?, _ credential: Credential) -> Receiver? {
        receiver.flatMap { isAllowed(credential, $0.subscription) ? $0 : nil }
    }

    // A stranger learns nothing: no such subscriber and a wrong secret look the same.
    private func denial(_ credential: Credential) -> Reply { credential == .trusted ? .notFound : .unauthorized }
}
