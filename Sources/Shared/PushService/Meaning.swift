// SPDX-License-Identifier: Apache-2.0

public import Bus

/// What a kind of answer means, whichever provider gives it.
public struct Meaning: Sendable {
    /// The kinds.
    public enum Kind: Sendable, Equatable {
        /// The message is wrong and will stay so.
        case rejected
        /// The address is dead, or looks so because of a mistake of ours.
        case gone(isAmbiguous: Bool)
        /// Our credentials or settings are wrong: an operator must act.
        case unavailable
        /// It can be tried again.
        case later(Outcome.Scope)
        /// What the account may send is used up.
        case quota
    }

    /// What it is.
    public let kind: Kind
    /// What an operator should do.
    public let advice: String
    /// What the channel does besides.
    public let remedy: PushJudgement.Remedy

    /// Describes a meaning.
    public init(_ kind: Kind, _ advice: String = "", remedy: PushJudgement.Remedy = .none) {
        self.kind = kind
        self.advice = advice
        self.remedy = remedy
    }

    /// What a provider said, and what to do about it.
    public func reason(_ said: String) -> String { advice.isEmpty ? said : "\(said): \(advice)" }

    /// The judgement on a delivery, for a ``reason(_:)``; `retryAfter` is how long the provider wants to be left alone, in
    /// milliseconds, `since` when it saw the address die.
    public func judgement(_ reason: String, retryAfter: Int64?, since: WallTime? = nil) -> PushJudgement {
        let outcome: Outcome =
            switch kind {
            case .rejected: .rejected(reason: reason)
            case .gone(let isAmbiguous):
                .gone(Outcome.Gone(since: isAmbiguous ? nil : since, isAmbiguous: isAmbiguous, reason: reason))
            case .unavailable: .unavailable(reason: reason)
            case .later(let scope): .retry(after: retryAfter, scope: scope, reason: reason)
            case .quota: .retry(after: retryAfter, scope: .provider, reason: reason)
            }
        return PushJudgement(outcome, remedy)
    }
}
