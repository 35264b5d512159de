// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

/// A delivery, with all that belongs to it alone.
struct DeliveryRow: Sendable {
    let sequence: Int64
    let notification: Int64
    let pipeline: PipelineNumber
    let lane: Queue.Lane
    let priority: Int
    let recipient: RecipientID
    /// How the bank spelt them.
    let spellings: [RecipientID]
    /// The node that sends it.
    var owner: Lease
    var state: DeliveryState
    /// Devices that are settled while others are not.
    var devices: Set<Int64> = []
    /// What its timeline tells beyond the normal steps.
    var steps: [TimelineRow] = []
    var receipts: [ReceiptRow] = []

    init(
        _ sequence: Int64,
        _ notification: NotificationRow,
        _ acceptance: Acceptance,
        _ place: Int,
        isOpen: Bool,
        owner: Lease
    ) {
        self.sequence = sequence
        self.notification = notification.sequence
        pipeline = acceptance.pipeline
        lane = acceptance.notification.isUrgent ? .urgent : .bulk
        priority = acceptance.notification.priority
        recipient = acceptance.deliveries[place].recipient
        spellings = acceptance.deliveries[place].spellings
        self.owner = owner
        state = isOpen ? DeliveryState(due: acceptance.due) : .withoutDevice(due: acceptance.due)
        state.sms.at = acceptance.fallback
    }

    /// Where it waits.
    var queue: Queue { Queue(pipeline: pipeline, lane: lane, parking: state.parking) }

    /// The channel that took over from pushes; empty where none did.
    var textChannel: String { steps.last { $0.kind == .fallback }?.channel ?? "" }
}

/// What a device told of a delivery.
struct ReceiptRow: Sendable {
    let subscription: Int64
    let event: Receipt.Event
    let at: WallTime
    let button: String?
}
