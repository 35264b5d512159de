// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

/// How far a sweep of expired deliveries got: it goes on behind this one.
struct SweepPlace: Comparable {
    let expires: WallTime
    let delivery: Int64

    static func < (left: Self, right: Self) -> Bool {
        (left.expires, left.delivery) < (right.expires, right.delivery)
    }
}

extension Tables {
    /// What a node owns and has to be sent; nothing where its lease is over.
    private func open(of lease: Lease, now: DueTime) -> [DeliveryRow] {
        guard nodes.holds(lease, at: now) else { return [] }
        return deliveries.values.filter { $0.state.isOpen && $0.owner == lease }
    }

    func due(_ queue: Queue, now: DueTime, limit: Int, of lease: Lease, at present: DueTime) -> DuePage {
        let waiting = open(of: lease, now: present).filter { $0.queue == queue }
        let ready = waiting.filter { $0.state.due <= now }
            .sorted { (-$0.priority, $0.state.due, $0.sequence) < (-$1.priority, $1.state.due, $1.sequence) }
        return DuePage(
            deliveries: queued(ready.prefix(limit)),
            nextDue: waiting.lazy.map(\.state.due).filter { $0 > now }.min(),
            hasMore: ready.count >= limit
        )
    }

    /// Expired deliveries behind a place, oldest first; with the place of the last one.
    func expired(
        _ pipeline: PipelineNumber,
        now: WallTime,
        limit: Int,
        after start: SweepPlace?,
        of lease: Lease,
        at present: DueTime
    ) -> (page: [QueuedDelivery], last: SweepPlace?) {
        let found = open(of: lease, now: present).filter { $0.pipeline == pipeline }
            .compactMap { row in
                notifications[row.notification].map {
                    (row, SweepPlace(expires: $0.expires, delivery: row.sequence))
                }
            }
            .filter { (_, place) in place.expires <= now && start.map { place > $0 } ?? true }
            .sorted { $0.1 < $1.1 }
            .prefix(limit)
        return (queued(found.map(\.0)), found.last?.1)
    }

    /// Counts what a node owns, and what it may reclaim.
    func depths(of pipeline: PipelineNumber, of lease: Lease, at now: DueTime) -> [Queue: Int] {
        var depths: [Queue: Int] = [:]
        for lane in Queue.Lane.allCases { depths[Queue(pipeline: pipeline, lane: lane)] = 0 }
        for row in deliveries.values where row.state.isOpen && row.pipeline == pipeline {
            if row.owner == lease || !nodes.holds(row.owner, at: now) { depths[row.queue, default: 0] += 1 }
        }
        return depths
    }

    /// One object for all deliveries of a notification.
    private func queued(_ rows: some Sequence<DeliveryRow>) -> [QueuedDelivery] {
        var known: [Int64: OutgoingNotification] = [:]
        return rows.compactMap { row in
            guard let outgoing = known[row.notification] ?? outgoing(of: row) else { return nil }
            known[row.notification] = outgoing
            return QueuedDelivery(
                sequence: row.sequence,
                notification: outgoing,
                recipient: row.recipient,
                status: row.state.status,
                attempts: row.state.attempts,
                due: row.state.due,
                finishedDevices: row.devices.sorted(),
                fallback: row.state.sms.at,
                sms: row.state.sms.state,
                phone: row.state.sms.phone
            )
        }
    }

    private func outgoing(of row: DeliveryRow) -> OutgoingNotification? {
        guard let notification = notifications[row.notification] else { return nil }
        var content = notification.content
        if notification.deliveries.count == 1 { content.recipients = [Recipient(row.recipient)] }
        return OutgoingNotification(
            notification: content,
            sequence: notification.sequence,
            acceptedAt: notification.accepted
        )
    }
}
