// SPDX-License-Identifier: Apache-2.0

public import Bus

/// A line that deliveries wait in: the two lanes of each pipeline, and beside them what is parked for a channel that
/// cannot be used.
public struct Queue: Hashable, Sendable {
    /// How much it hurries.
    public enum Lane: Int, Sendable, CaseIterable {
        case urgent, bulk
    }

    /// Whose.
    public let pipeline: PipelineNumber
    /// How urgent.
    public let lane: Lane
    /// The number of the channel that its deliveries are parked for; 0 = they are not.
    public let parking: Int32

    /// The largest number of a channel.
    public static let largestParking: Int32 = 1 << 22 - 1

    /// Names a queue.
    public init(pipeline: PipelineNumber, lane: Lane, parking: Int32 = 0) {
        self.pipeline = pipeline
        self.lane = lane
        self.parking = parking
    }

    /// The bits of ``key`` that parking leaves alone.
    public static let laneBits: Int64 = 1 << 40 - 1

    /// The pipeline of the queue that a number stands for.
    public static func pipeline(ofKey key: Int64) -> Int64 { (key & laneBits) >> 8 }

    /// The number that stands for it in an index.
    public var key: Int64 { Int64(parking) << 40 | Int64(pipeline.rawValue) << 8 | Int64(lane.rawValue) }

    /// The queue that a number stands for; `nil` where it is none of ours.
    public init?(key: Int64) {
        guard key >= 0, let lane = Lane(rawValue: Int(key & 0xff)) else { return nil }
        self.init(
            pipeline: PipelineNumber(rawValue: Int32(truncatingIfNeeded: key >> 8)),
            lane: lane,
            parking: Int32(truncatingIfNeeded: key >> 40)
        )
    }
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
    /// When the next is due.
    public let due: DueTime
    /// The devices that took it already, or never will, by subscription.
    public let finishedDevices: [Int64]
    /// When a text message takes the place of pushes; `nil` where none ever does.
    public let fallback: DueTime?
    /// How far that text message is; `nil` while pushes have the time.
    public let sms: SMSState?
    /// The number that was known when that was decided, or when a device's address died.
    public let phone: String?
    /// Whether the ledger cannot read what it was to say: it is to end, and `notification` is empty.
    public let isDamaged: Bool

    /// Describes an open delivery.
    public init(
        sequence: Int64,
        notification: OutgoingNotification,
        recipient: RecipientID,
        status: DeliveryStatus,
        attempts: Int,
        due: DueTime,
        finishedDevices: [Int64],
        fallback: DueTime? = nil,
        sms: SMSState? = nil,
        phone: String? = nil,
        isDamaged: Bool = false
    ) {
        self.sequence = sequence
        self.notification = notification
        self.recipient = recipient
        self.status = status
        self.attempts = attempts
        self.due = due
        self.finishedDevices = finishedDevices
        self.fallback = fallback
        self.sms = sms
        self.phone = phone
        self.isDamaged = isDamaged
    }
}

/// What waits in a queue.
public struct DuePage: Sendable {
    /// What is due now, at most as many as were asked for.
    public let deliveries: [QueuedDelivery]
    /// When the next one after `now` is due; `nil` where there is none.
    public let nextDue: DueTime?
    /// Whether the page ended for its length: there may be more that is due now.
    public let hasMore: Bool

    /// Describes a page.
    public init(deliveries: [QueuedDelivery], nextDue: DueTime?, hasMore: Bool = false) {
        self.deliveries = deliveries
        self.hasMore = hasMore
        self.nextDue = nextDue
    }
}
