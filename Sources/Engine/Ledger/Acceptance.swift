// SPDX-License-Identifier: Apache-2.0

public import Bus

/// A notification to be kept, with its recipients resolved.
public struct Acceptance: Sendable {
    /// Which pipeline.
    public let pipeline: PipelineNumber
    /// What to keep.
    public let notification: Notification
    /// The moment of acceptance, in milliseconds since 1970.
    public let at: Int64
    /// One for each user, however often he was named; many are in the order of their recipients.
    public let deliveries: [NewDelivery]
    /// When a text message takes the place of pushes, in milliseconds since 1970; `nil` where none ever does.
    public let fallback: Int64?
    /// Whether they are, so that one recipient's is found without a look at all of them.
    public var isSorted: Bool { deliveries.count >= Self.sortedFrom }

    private static let sortedFrom = 64

    /// Describes what to keep.
    public init(
        pipeline: PipelineNumber,
        notification: Notification,
        at: Int64,
        deliveries: [NewDelivery],
        fallback: Int64? = nil
    ) {
        self.pipeline = pipeline
        self.notification = notification
        self.at = at
        self.deliveries =
            deliveries.count < Self.sortedFrom ? deliveries : deliveries.sorted { $0.recipient < $1.recipient }
        self.fallback = fallback
    }
}

/// A delivery to be kept.
public struct NewDelivery: Sendable, Equatable {
    /// Whom it is for.
    public let recipient: RecipientID
    /// How the bank spelt him, each spelling once, in its order.
    public var spellings: [RecipientID]
    /// Whether there is anything to do for him; ``DeliveryStatus/invalidSubscription`` otherwise.
    public var isOpen: Bool

    /// Describes a delivery.
    public init(recipient: RecipientID, spellings: [RecipientID], isOpen: Bool) {
        self.recipient = recipient
        self.spellings = spellings
        self.isOpen = isOpen
    }
}

/// What became of an acceptance.
public enum AcceptanceResult: Sendable, Equatable {
    /// It is on disk; its deliveries have consecutive numbers from `firstDelivery` in the order of the acceptance.
    case accepted(notification: Int64, firstDelivery: Int64)
    /// The pipeline knew the id; nothing was kept.
    case duplicate
}
