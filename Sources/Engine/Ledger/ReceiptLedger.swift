// SPDX-License-Identifier: Apache-2.0

public import Bus

/// What phones told: receipts and events, and what they may ask for in return.
public protocol ReceiptLedger: AnyObject, Sendable {
    /// Reads the subscription of a public name; `nil` where there is none.
    func subscription(
        named subscriber: String,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<Subscription?>
    )

    /// Finds a subscription by its public name, and the delivery of a notification to its user.
    ///
    /// Completes with `nil` where there is no such subscription.
    func receiver(
        _ subscriber: String,
        of notification: NotificationID,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<Receiver?>
    )

    /// Keeps a receipt; one transaction with the delivery's new status and the callbacks that follow.
    ///
    /// Changes nothing where the device had told the same before. A status never goes back; that a phone has a
    /// notification wins over what the bus had given up, and ends a delivery that a text message waits to take over.
    func receive(_ receipt: NewReceipt, completion: @escaping Completion<KeptReceipt>)

    /// Reads a delivery's details as its app may see them; `nil` where there are none, or none any more.
    func details(ofDelivery delivery: Int64, now: WallTime, completion: @escaping Completion<PushDetails?>)

    /// Keeps that an app told an event: its last time and how often, by name; at most so many names a subscription.
    func note(_ event: NewAppEvent, completion: @escaping Completion<Void>)
}

/// A subscription that speaks of a notification.
public struct Receiver: Sendable, Equatable {
    /// The subscription.
    public let subscription: Subscription
    /// The ledger's number of the delivery to its user; `nil` where they were not among the recipients.
    public let delivery: Int64?

    /// Pairs a subscription with a delivery.
    public init(subscription: Subscription, delivery: Int64?) {
        self.subscription = subscription
        self.delivery = delivery
    }
}

/// What became of a receipt.
public enum ReceiptResult: Sendable, Equatable {
    /// The device had told the same before.
    case known
    /// It is kept.
    case kept
    /// It is kept, and closed its delivery: no text message will be sent.
    case ended
}

/// What became of a receipt, and of its delivery.
public struct KeptReceipt: Sendable, Equatable {
    /// What became of it.
    public let result: ReceiptResult
    /// The status that its delivery has reached by it, and had not before.
    public let reached: ReachedStatus?

    /// Pairs a result with what it changed.
    public init(_ result: ReceiptResult, reached: ReachedStatus? = nil) {
        self.result = result
        self.reached = reached
    }
}

/// A status that a delivery reached after its channel was done with it.
public struct ReachedStatus: Sendable, Equatable {
    /// The status.
    public let status: DeliveryStatus
    /// The channel that took the delivery; `nil` where none is known to have.
    public let channel: String?

    /// Names a status and a channel.
    public init(_ status: DeliveryStatus, channel: String?) {
        self.status = status
        self.channel = channel
    }
}

/// A receipt to be kept.
public struct NewReceipt: Sendable, Equatable {
    /// Which pipeline.
    public let pipeline: PipelineNumber
    /// The ledger's number of the delivery.
    public let delivery: Int64
    /// The ledger's number of the subscription that tells it.
    public let subscription: Int64
    /// What happened.
    public let event: Receipt.Event
    /// The button that was pressed.
    public let button: String?
    /// When it was told.
    public let at: WallTime

    /// Describes a receipt.
    public init(
        pipeline: PipelineNumber,
        delivery: Int64,
        subscription: Int64,
        event: Receipt.Event,
        button: String? = nil,
        at: WallTime
    ) {
        self.pipeline = pipeline
        self.delivery = delivery
        self.subscription = subscription
        self.event = event
        self.button = button
        self.at = at
    }
}

/// An app's event to be kept.
public struct NewAppEvent: Sendable, Equatable {
    /// The most names kept of one subscription; what is more is forgotten, longest unheard first.
    public static let namesKept = 64

    /// The ledger's number of the subscription.
    public let subscription: Int64
    /// The event's name.
    public let name: String
    /// When it was told.
    public let at: WallTime

    /// Describes an event.
    public init(subscription: Int64, name: String, at: WallTime) {
        self.subscription = subscription
        self.name = name
        self.at = at
    }
}
