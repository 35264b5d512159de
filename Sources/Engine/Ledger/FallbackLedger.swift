// SPDX-License-Identifier: Apache-2.0

public import Bus

/// What keeps the text message that takes the place of a PIN code's pushes a single one.
public protocol FallbackLedger: AnyObject, Sendable {
    /// Writes, before gateways are asked, that they are: each only while its delivery is open and no phone told that
    /// it has the notification.
    ///
    /// Completes with whether each was written. The deliveries of the others are closed, or another node's: there is
    /// nothing to do.
    func intend(_ intents: [Settlement], completion: @escaping Completion<[Bool]>)

    /// Keeps what a gateway told of a text message some time after it took it; one transaction with the delivery's new
    /// status and all that follows.
    ///
    /// Not known is a text message that was handed to no gateway. A report that was told before, or
    /// says less than is known, changes nothing: that a phone has the notification is never taken back.
    func receive(_ report: NewGatewayReport, completion: @escaping Completion<KeptReport>)
}

/// How far the text message is that takes the place of a PIN code's pushes.
public enum SMSState: Sendable, Equatable, CaseIterable {
    /// It is to be sent, and no gateway has it: there are no more pushes.
    case due
    /// A gateway is being asked, or told nothing: it may have it, and is never asked again.
    case called
    /// A gateway took it.
    case taken
    /// It will not arrive: the gateway refused it, or told so later.
    case failed
}

/// A step of a timeline beyond the normal ones.
///
/// No text holds content or a number.
public enum TimelineNote: Sendable, Equatable {
    /// A channel for phones takes over.
    case fallback(channel: String, reason: String)
    /// A further channel took it.
    case sent(channel: String)
    /// A channel may have it or not, and is not asked again.
    case unknown(channel: String, reason: String)
    /// A channel refused it for good; a dead letter.
    case refused(channel: String, reason: String)
}

/// What became of a gateway's report.
public struct KeptReport: Sendable, Equatable {
    /// Whether the gateway had got such a text message.
    public let isKnown: Bool
    /// The status that its delivery has reached by it.
    public let reached: ReachedStatus?

    /// Pairs an answer with what the report changed.
    public init(isKnown: Bool, reached: ReachedStatus? = nil) {
        self.isKnown = isKnown
        self.reached = reached
    }
}

/// A gateway's report to be kept.
public struct NewGatewayReport: Sendable, Equatable {
    /// Which pipeline.
    public let pipeline: PipelineNumber
    /// The ledger's number of the delivery.
    public let delivery: Int64
    /// Where the text message came to.
    public let fate: GatewayReport.Fate
    /// When it was told.
    public let at: WallTime

    /// Describes a report.
    public init(pipeline: PipelineNumber, delivery: Int64, fate: GatewayReport.Fate, at: WallTime) {
        self.pipeline = pipeline
        self.delivery = delivery
        self.fate = fate
        self.at = at
    }
}
