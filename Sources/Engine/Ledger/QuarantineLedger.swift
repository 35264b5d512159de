// SPDX-License-Identifier: Apache-2.0

public import Bus

/// Where verdicts that an address is dead wait for an operator, when they were too many to be believed.
///
/// A subscription in quarantine stays what it is and is sent to: only its removal is on hold. A verdict is void once
/// the app registered the token anew, the subscription ended, or a provider took something for it since.
public protocol QuarantineLedger: AnyObject, Sendable {
    /// Keeps verdicts of a channel; a newer one takes the place of an older one of the same subscription.
    func quarantine(
        _ verdicts: [DeadAddress],
        by channel: String,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<Void>
    )

    /// Reads what waits in a pipeline, by channel and reason.
    func quarantined(_ pipeline: PipelineNumber, completion: @escaping Completion<[QuarantineSummary]>)

    /// Forgets a channel's verdicts: the addresses stay. Returns how many subscriptions that concerns.
    func releaseQuarantine(
        of channel: String,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<Int>
    )

    /// Believes a channel's verdicts: ends the subscriptions. Returns how many ended.
    func confirmQuarantine(
        of channel: String,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<Int>
    )
}

/// A provider's verdict that an address is dead.
public struct DeadAddress: Sendable, Equatable {
    /// The wish that follows from it.
    public let end: SubscriptionEnd
    /// What the provider said; no token.
    public let reason: String
    /// When.
    public let at: WallTime

    /// Describes a verdict.
    public init(end: SubscriptionEnd, reason: String, at: WallTime) {
        self.end = end
        self.reason = reason
        self.at = at
    }
}

/// Verdicts of one channel for one reason that wait for an operator.
public struct QuarantineSummary: Sendable, Equatable {
    /// The channel's name.
    public let channel: String
    /// What the provider said.
    public let reason: String
    /// How many subscriptions it concerns.
    public let count: Int
    /// The first.
    public let first: WallTime
    /// The last.
    public let last: WallTime

    /// Describes verdicts.
    public init(channel: String, reason: String, count: Int, first: WallTime, last: WallTime) {
        self.channel = channel
        self.reason = reason
        self.count = count
        self.first = first
        self.last = last
    }
}
