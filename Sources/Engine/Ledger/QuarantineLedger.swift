// SPDX-License-Identifier: Apache-2.0

public import Bus

/// What becomes of subscriptions whose tokens a provider calls dead: removed, waiting to be judged, or quarantined.
///
/// A subscription that waits or is quarantined stays what it is and is sent to: only its removal is on hold. A verdict
/// is void once the app registered the token anew, the subscription ended, or a provider took something for it since.
/// A subscription that a verdict removed is kept aside for a day, and comes back where the channel falls in doubt.
public protocol QuarantineLedger: AnyObject, Sendable {
    /// Reads what guards knew when they last wrote it, by channel. For the start.
    func guards(of pipeline: PipelineNumber, completion: @escaping Completion<[String: KnownGuard]>)

    /// Does with tokens of a channel what its guard, or an operator, decided; keeps what the guard knows now.
    ///
    /// In pieces where it is about many: other writes go between.
    func apply(
        _ step: InvalidTokenStep,
        of channel: String,
        in pipeline: PipelineNumber,
        _ record: InvalidTokenRecord,
        completion: @escaping Completion<InvalidTokenResult>
    )

    /// Forgets verdicts on subscriptions that a provider took something for.
    func clearVerdicts(_ subscriptions: [Int64], completion: @escaping Completion<Void>)

    /// Reads what is quarantined in a pipeline, by channel and reason; what waits to be judged is not.
    func quarantined(_ pipeline: PipelineNumber, completion: @escaping Completion<[QuarantineSummary]>)

    /// Forgets for good at most `limit` subscriptions that were removed before a moment; returns how many.
    func forgetRemoved(before: WallTime, limit: Int, completion: @escaping Completion<Int>)
}

/// What is done with tokens that a channel's provider calls dead.
public enum InvalidTokenStep: Sendable, Equatable {
    /// Their subscriptions are removed, and kept aside.
    case remove([InvalidToken])
    /// They wait to be judged.
    case hold([InvalidToken])
    /// They are quarantined until an operator decides.
    case quarantine([InvalidToken])
    /// All that wait are removed, and kept aside.
    case removeHeld
    /// All that wait are quarantined, and what was removed within a day comes back.
    case doubt
    /// What is quarantined is forgotten: the channel is trusted again.
    case trust
    /// An operator's word: what waits or is quarantined is forgotten, and what was removed within a day comes back.
    case release
    /// An operator's word: what waits or is quarantined is removed for good.
    case confirm

    /// Whether it is an operator's word, and not the guard's.
    public var isOperators: Bool { self == .release || self == .confirm }
}

/// What a step came to.
public struct InvalidTokenResult: Sendable, Equatable {
    /// Verdicts that still stood, of those that were decided about.
    public var decided: Int
    /// The subscriptions that ended.
    public var ended: [EndedSubscription]
    /// How many that had ended came back.
    public var restored: Int

    /// Describes what a step came to.
    public init(decided: Int = 0, ended: [EndedSubscription] = [], restored: Int = 0) {
        self.decided = decided
        self.ended = ended
        self.restored = restored
    }
}

/// A subscription that is no more.
public struct EndedSubscription: Sendable, Equatable {
    /// The ledger's number of it.
    public let subscription: Int64
    /// The app.
    public let app: String
    /// What the provider said, where that is why.
    public let reason: String

    /// Describes an end.
    public init(subscription: Int64, app: String, reason: String) {
        self.subscription = subscription
        self.app = app
        self.reason = reason
    }
}

/// What is known of a channel's guard at the start.
public struct KnownGuard: Sendable, Equatable {
    /// The most subscriptions that a guard remembers one by one.
    public static let mostSuspects = 65_536

    /// What it last wrote.
    public var record: InvalidTokenRecord
    /// The subscriptions with a verdict that waits or is quarantined, at most as many as a guard remembers and one more.
    public var suspects: [Int64]

    /// Describes a guard.
    public init(record: InvalidTokenRecord = InvalidTokenRecord(), suspects: [Int64] = []) {
        self.record = record
        self.suspects = suspects
    }
}

/// A provider's verdict that a token is dead.
public struct InvalidToken: Sendable, Equatable {
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
