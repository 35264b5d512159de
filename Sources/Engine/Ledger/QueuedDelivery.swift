// SPDX-License-Identifier: Apache-2.0

public import Bus

/// A line that deliveries wait in: the two lanes of each pipeline.
public struct Queue: Hashable, Sendable {
    /// How much it hurries.
    public enum Lane: Int, Sendable, CaseIterable {
        case urgent, bulk
    }

    /// Whose.
    public let pipeline: PipelineNumber
    /// How urgent.
    public let lane: Lane

    /// Names a queue.
    public init(pipeline: PipelineNumber, lane: Lane) {
        self.pipeline = pipeline
        self.lane = lane
    }

    /// The number that stands for it in an index.
    public var key: Int64 { Int64(pipeline.rawValue) << 8 | Int64(lane.rawValue) }
}

/// A delivery that has work left, as the ledger holds it.
public struct QueuedDelivery: Sendable {
    /// The ledger's number of it.
    public let sequence: Int64
    /// What to say; one object for all deliveries of a notification within one answer.
    public let notification: OutgoingNotification
    /// To whom.
    public let recipient: RecipientID
    /// How far it is.
    public let status: DeliveryStatus
    /// The attempts made.
    public let attempts: Int
    /// When the next is due, in milliseconds since 1970.
    public let due: Int64
    /// The devices that took it already, or never will, by subscription.
    public let finishedDevices: [Int64]

    /// Describes an open delivery.
    public init(
        sequence: Int64,
        notification: OutgoingNotification,
        recipient: RecipientID,
        status: DeliveryStatus,
        attempts: Int,
        due: Int64,
        finishedDevices: [Int64]
    ) {
        self.sequence = sequence
        self.notification = notification
        self.recipient = recipient
        self.status = status
        self.attempts = attempts
        self.due = due
        self.finishedDevices = finishedDevices
    }
}

/// What waits in a queue.
public struct DuePage: Sendable {
    /// What is due now, at most as many as were asked for.
    public let deliveries: [QueuedDelivery]
    /// When the next one after `now` is due, in milliseconds since 1970; `nil` where there is none.
    public let nextDue: Int64?

    /// Describes a page.
    public init(deliveries: [QueuedDelivery], nextDue: Int64?) {
        self.deliveries = deliveries
        self.nextDue = nextDue
    }
}
