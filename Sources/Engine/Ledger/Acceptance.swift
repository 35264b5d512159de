// SPDX-License-Identifier: Apache-2.0

public import Bus

/// A notification to be kept, with its recipients resolved.
///
/// An object: it passes through the writer's and the dispatcher's hands, and copying it costs a dozen retains.
public final class Acceptance: Sendable {
    /// Which pipeline.
    public let pipeline: PipelineNumber
    /// What to keep.
    public let notification: Notification
    /// The moment of acceptance.
    public let at: WallTime
    /// The same moment as ``at``: from then on its deliveries are due.
    public let due: DueTime
    /// One for each user, however often they were named; many are in the order of their recipients.
    public let deliveries: [NewDelivery]
    /// The place of the delivery of each spelling, in the bank's order; `nil` where that is the order they are in.
    public let order: [Int]?
    /// When a text message takes the place of pushes; `nil` where none ever does.
    public let fallback: DueTime?
    /// Why a stage dropped it: it is kept, and all its deliveries end SENDING_FAILED at once; `nil` where none did.
    public let dropReason: String?
    /// Whether they are, so that one recipient's is found without a look at all of them.
    public var isSorted: Bool { deliveries.count >= Self.sortedFrom }

    private static let sortedFrom = 64
    /// The most recipients whose deliveries are made as it is accepted; more wait in chunks: see ``ChunkLedger``.
    public static let largestInRows = 1_000
    /// Whether its recipients wait in chunks.
    public var isLarge: Bool { deliveries.count > Self.largestInRows }

    /// Describes what to keep; the deliveries in the order in which the bank first named the users.
    ///
    /// Without an `order` each delivery's spellings follow one another. `isInOrder` says that the deliveries are in
    /// the order of their recipients already, and the `order` names their places.
    public init(
        pipeline: PipelineNumber,
        notification: Notification,
        at: WallTime,
        due: DueTime,
        deliveries: [NewDelivery],
        order: [Int]? = nil,
        isInOrder: Bool = false,
        fallback: DueTime? = nil,
        dropReason: String? = nil
    ) {
        self.pipeline = pipeline
        self.notification = notification
        self.at = at
        self.due = due
        self.fallback = fallback
        self.dropReason = dropReason
        var order = order
        if deliveries.count < Self.sortedFrom || isInOrder {
            self.deliveries = deliveries
        } else {
            let sorted = deliveries.indices.sorted { deliveries[$0].recipient < deliveries[$1].recipient }
            self.deliveries = sorted.map { deliveries[$0] }
            order = (order ?? Self.order(of: deliveries)).moved(by: sorted)
        }
        self.order = order?.isRising == true ? nil : order
    }

    private static func order(of deliveries: [NewDelivery]) -> [Int] {
        deliveries.indices.flatMap { repeatElement($0, count: deliveries[$0].spellings.count) }
    }
}

extension [Int] {
    fileprivate var isRising: Bool { zip(self, dropFirst()).allSatisfy(<=) }

    /// These places after a sort; `sorted` names for each new place the old one.
    fileprivate func moved(by sorted: [Int]) -> [Int] {
        var new = sorted
        for (place, old) in sorted.enumerated() { new[old] = place }
        return map { new[$0] }
    }
}

/// A delivery to be kept.
public struct NewDelivery: Sendable, Equatable {
    /// Whom it is for.
    public let recipient: RecipientID
    /// How the bank spelt them, each spelling once, in its order.
    public var spellings: [RecipientID]
    /// Whether there is anything to do for them; ``DeliveryStatus/invalidSubscription`` otherwise.
    ///
    /// `nil`: there is where they have a subscription, which the ledger looks up in the accepting transaction.
    public var isOpen: Bool?

    /// Describes a delivery.
    public init(recipient: RecipientID, spellings: [RecipientID], isOpen: Bool? = nil) {
        self.recipient = recipient
        self.spellings = spellings
        self.isOpen = isOpen
    }
}

/// What became of an acceptance.
public enum AcceptanceResult: Sendable, Equatable {
    /// It is on disk; its deliveries have consecutive numbers from `firstDelivery` in the order of the acceptance.
    ///
    /// `closed` are the places, in rising order, of those for whom there is nothing to do.
    case accepted(notification: Int64, firstDelivery: Int64, closed: [Int])
    /// The pipeline knew the id; nothing was kept.
    case duplicate
    /// A recipient has no subscription and the notification demands one; nothing was kept.
    case unknownRecipient
}

/// What was accepted, with the numbers it got.
public struct AcceptedNotification: Sendable {
    /// What was asked for.
    public let acceptance: Acceptance
    /// The ledger's number of the notification.
    public let sequence: Int64
    /// The number of its first delivery.
    public let firstDelivery: Int64
    /// The places of the deliveries for which there is nothing to do.
    public let closed: [Int]
    /// Whether it is a part of a large one, and its open deliveries were counted while they waited in chunks.
    public let wasWaiting: Bool

    /// Describes an accepted notification.
    public init(
        acceptance: Acceptance,
        sequence: Int64,
        firstDelivery: Int64,
        closed: [Int],
        wasWaiting: Bool = false
    ) {
        self.wasWaiting = wasWaiting
        self.acceptance = acceptance
        self.sequence = sequence
        self.firstDelivery = firstDelivery
        self.closed = closed
    }
}
