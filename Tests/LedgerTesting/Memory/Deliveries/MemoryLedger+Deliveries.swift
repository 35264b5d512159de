// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Engine
import Synchronization

extension MemoryLedger {
    /// Writes what became of deliveries, in the order given; completes with whether each was this node's to write.
    public func settle(_ settlements: [Settlement], completion: @escaping Completion<[Bool]>) {
        write(completion) { transaction in settlements.map { transaction.settle($0) } }
    }

    /// Writes, before gateways are asked, that they are; completes with whether each was written.
    public func intend(_ intents: [Settlement], completion: @escaping Completion<[Bool]>) {
        write(completion) { transaction in intents.map { transaction.intend($0) } }
    }

    /// Reads open deliveries of a queue that are due and that this node owns.
    public func due(_ queue: Queue, now: DueTime, limit: Int, completion: @escaping Completion<DuePage>) {
        read(completion) { [lease, schedule] tables in
            tables.due(queue, now: now, limit: limit, of: lease, at: schedule.read().due)
        }
    }

    /// Reads open deliveries that expired and that this node owns: each call goes on where the last one ended.
    public func expired(
        _ pipeline: PipelineNumber,
        now: WallTime,
        limit: Int,
        completion: @escaping Completion<[QueuedDelivery]>
    ) {
        let start = sweeps.withLock { $0[pipeline] }
        let present = schedule.read().due
        let note: Completion<(page: [QueuedDelivery], last: SweepPlace?)> = { [weak self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let (page, last)):
                guard let self else { return completion(.failure(.closed)) }
                // A page that is not full ends a round: the next one begins with those that are still open.
                sweeps.withLock { $0[pipeline] = page.count < limit ? nil : last }
                guard page.isEmpty, start != nil else { return completion(.success(page)) }
                expired(pipeline, now: now, limit: limit, completion: completion)
            }
        }
        read(note) { [lease] tables in
            tables.expired(pipeline, now: now, limit: limit, after: start, of: lease, at: present)
        }
    }

    /// Counts the open deliveries of each queue of a pipeline that this node owns, or may reclaim.
    public func depth(_ pipeline: PipelineNumber, completion: @escaping Completion<[Queue: Int]>) {
        read(completion) { [lease, schedule] in $0.depths(of: pipeline, of: lease, at: schedule.read().due) }
    }

    /// Brings what waits longer than until a moment forward to it.
    public func capWaits(_ pipeline: PipelineNumber, at latest: DueTime, completion: @escaping Completion<Void>) {
        write(completion) { $0.capWaits(pipeline, at: latest) }
    }

    // MARK: What phones and gateways tell

    /// Keeps a receipt; changes nothing where the device had told the same before.
    public func receive(_ receipt: NewReceipt, completion: @escaping Completion<KeptReceipt>) {
        write(completion) { $0.receive(receipt) }
    }

    /// Keeps what a gateway told of a text message.
    public func receive(_ report: NewGatewayReport, completion: @escaping Completion<KeptReport>) {
        write(completion) { $0.receive(report) }
    }

    /// Finds a subscription by its public name, and the delivery of a notification to its user.
    public func receiver(
        _ subscriber: String,
        of notification: NotificationID,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<Receiver?>
    ) {
        read(completion) { tables in
            guard let subscription = tables.subscriptions.named(subscriber, in: pipeline) else { return nil }
            let row = tables.notifications.find(notification, in: pipeline)
            let delivery = row.flatMap { row in
                tables.deliveries(of: row).first { $0.recipient == subscription.user }
            }
            return Receiver(subscription: subscription, delivery: delivery?.sequence)
        }
    }

    /// Reads a delivery's details as its app may see them; `nil` where there are none, or none any more.
    public func details(ofDelivery delivery: Int64, now: WallTime, completion: @escaping Completion<PushDetails?>) {
        read(completion) { tables in
            guard let row = tables.deliveries[delivery], let notification = tables.notifications[row.notification]
            else { return nil }
            return NotificationRule.shownDetails(
                notification.content,
                accepted: notification.accepted,
                expires: notification.expires,
                recipients: notification.deliveries.count,
                status: row.state.status,
                now: now
            )
        }
    }
}
