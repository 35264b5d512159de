// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Engine
import SQLite

extension SQLiteLedger {
    /// Reads the subscription of a public name; `nil` where there is none.
    public func subscription(
        named subscriber: String,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<Subscription?>
    ) {
        read(completion) { try $0.subscriptions.subscription(named: subscriber, in: pipeline) }
    }

    /// Finds a subscription by its public name, and the delivery of a notification to its user.
    public func receiver(
        _ subscriber: String,
        of notification: NotificationID,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<Receiver?>
    ) {
        read(completion) { statements in
            guard let subscription = try statements.subscriptions.subscription(named: subscriber, in: pipeline) else {
                return nil
            }
            let delivery = try statements.receipts.delivery(of: notification, to: subscription.user, in: pipeline)
            return Receiver(subscription: subscription, delivery: delivery)
        }
    }

    /// Keeps a receipt; changes nothing where the device had told the same before.
    public func receive(_ receipt: NewReceipt, completion: @escaping Completion<KeptReceipt>) {
        write(isUrgent: false, completion) { statements throws(SQLiteError) in
            let kept = try statements.receipts.receive(receipt)
            if kept.result == .ended {
                statements.events.add(.closed(delivery: receipt.delivery), in: receipt.pipeline)
            }
            return kept
        }
    }

    /// Reads a delivery's details as its app may see them; `nil` where there are none, or none any more.
    public func details(ofDelivery delivery: Int64, now: WallTime, completion: @escaping Completion<PushDetails?>) {
        read(completion) { try $0.receipts.details(ofDelivery: delivery, now: now) }
    }

    /// Keeps that an app told an event.
    public func note(_ event: NewAppEvent, completion: @escaping Completion<Void>) {
        write(isUrgent: false, completion) { statements throws(SQLiteError) in try statements.receipts.note(event) }
    }

    /// Reads the steps of a notification with all its recipients, oldest first.
    public func timeline(
        of id: NotificationID,
        in pipeline: PipelineNumber,
        limit: Int,
        completion: @escaping Completion<[TimelineEvent]?>
    ) {
        read(for: .pages, completion) { try $0.timelines.timeline(of: id, in: pipeline, limit: limit) }
    }
}
