// SPDX-License-Identifier: Apache-2.0

/// What the outside said to one attempt.
///
/// A reason is for operators: it never holds content, a token or a number.
public enum Outcome: Sendable, Equatable {
    /// The provider took it.
    case accepted
    /// Not now. `after` is how long the far end asked to be left alone, in milliseconds.
    case retry(after: Int64?, scope: Scope, reason: String)
    /// This message will never pass.
    case rejected(reason: String)
    /// This address is dead.
    case gone(Gone)
    /// Our credentials or the provider are at fault: the channel pauses, everything is kept, no address is touched.
    case unavailable(reason: String)
    /// It was written and no answer came: it may or may not have arrived.
    case unknown(reason: String)

    /// What a wish to be left alone is about.
    public enum Scope: Sendable, Equatable {
        /// This message or this address; others may go on.
        case delivery
        /// The far end as a whole: it is down, out of reach, or full.
        case provider
    }

    /// A verdict that an address is dead.
    public struct Gone: Sendable, Equatable {
        /// When the provider saw it die: a registration after that survives; `nil` where it names no time.
        public var since: WallTime?
        /// Whether a wrong environment or topic of ours would look the same, so that the verdict counts only where
        /// the channel was accepted lately.
        public var isAmbiguous: Bool
        /// What the provider said.
        public var reason: String

        /// Describes a verdict.
        public init(since: WallTime?, isAmbiguous: Bool, reason: String) {
            self.since = since
            self.isAmbiguous = isAmbiguous
            self.reason = reason
        }
    }
}

extension Outcome {
    /// What went wrong, in words for operators; empty where nothing did.
    public var reason: String {
        switch self {
        case .accepted: ""
        case .rejected(let reason), .retry(_, _, let reason), .unknown(let reason), .unavailable(let reason): reason
        case .gone(let gone): gone.reason
        }
    }
}
