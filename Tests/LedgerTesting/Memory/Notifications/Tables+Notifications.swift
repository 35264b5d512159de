// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

extension Tables {
    func deliveries(of row: NotificationRow) -> [DeliveryRow] { row.deliveries.compactMap { deliveries[$0] } }

    func notification(_ id: NotificationID, in pipeline: PipelineNumber, now: WallTime) -> Notification? {
        guard let row = notifications.find(id, in: pipeline) else { return nil }
        let deliveries = deliveries(of: row)
        var notification = row.content
        let recipients = deliveries.map { delivery in
            delivery.spellings.map { spelling in
                var recipient = Recipient(spelling)
                recipient.id = delivery.recipient
                return recipient
            }
        }
        notification.recipients = NotificationRule.arrange(recipients, by: row.order)
        return NotificationRule.shown(
            notification,
            accepted: row.accepted,
            expires: row.expires,
            isReadByAll: deliveries.allSatisfy { $0.state.status == .read },
            now: now
        )
    }

    func statuses(of id: NotificationID, in pipeline: PipelineNumber) -> [RecipientStatus]? {
        guard let row = notifications.find(id, in: pipeline) else { return nil }
        let statuses = deliveries(of: row).map { delivery in
            delivery.spellings.map { RecipientStatus($0, delivery.state.status) }
        }
        return NotificationRule.arrange(statuses, by: row.order)
    }

    func timeline(
        of id: NotificationID,
        in pipeline: PipelineNumber,
        limit: Int,
        now: ClockReading
    ) -> [TimelineEvent]? {
        guard let row = notifications.find(id, in: pipeline) else { return nil }
        let steps = deliveries(of: row).flatMap { delivery in
            TimelineRule.steps(
                of: history(of: delivery),
                rows: delivery.steps,
                receipts: delivery.receipts.map { receipt in
                    ToldReceipt(
                        receipt.event,
                        at: receipt.at,
                        button: receipt.button,
                        device: subscriptions[receipt.subscription]?.place.deviceID
                    )
                },
                accepted: row.accepted,
                now: now
            )
        }
        return TimelineRule.ordered(steps, limit: limit)
    }

    private func history(of delivery: DeliveryRow) -> DeliveryHistory {
        let state = delivery.state
        return DeliveryHistory(
            recipient: delivery.spellings.first ?? delivery.recipient,
            status: state.status,
            moments: state.moments,
            channel: state.channel,
            device: state.device.flatMap { subscriptions.device(of: $0) },
            fallback: state.isOpen && state.sms.state == nil ? state.sms.at : nil
        )
    }
}
