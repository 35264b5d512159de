// SPDX-License-Identifier: Apache-2.0

/// Makes a stand-in for a push provider fail on purpose.
///
/// It meets only requests that have passed every check.
public struct PushRule: Sendable, Equatable {
    /// What happens to a request that the rule meets.
    public enum Effect: String, Sendable, CaseIterable {
        /// It is answered with ``PushRule/status`` and what goes with it.
        case answer
        /// It is never answered.
        case silence
        /// Its stream is reset with REFUSED_STREAM: not processed.
        case refuse
        /// Its stream is reset with INTERNAL_ERROR, after it was processed.
        case reset
        /// It is not processed: the connection says GOAWAY with the stream before it as the last one, and finishes
        /// the others.
        case goaway
        /// The connection is cut without a word.
        case drop
    }

    /// What a gateway reports of a text message that it took.
    public enum Report: String, Sendable, CaseIterable {
        /// The phone has it.
        case delivered
        /// The phone will never have it.
        case undeliverable
        /// The SMSC refused it.
        case refused
        /// Nothing final.
        case none
    }

    /// The device token or the phone number it is for; `nil` for every one.
    public var token: String?
    /// What happens.
    public var effect = Effect.answer
    /// The status of the answer.
    public var status = 200
    /// Apple's `reason`, FCM's `errorCode` or OAuth's `error` in the answer's body; also that of the GOAWAY.
    public var reason: String?
    /// The `timestamp` of Apple's body, milliseconds since 1970; a 410 without one says now.
    public var timestamp: Int64?
    /// The `retry-after` header.
    public var retryAfter: String?
    /// A body in place of the provider's JSON, for instance a proxy's HTML.
    public var body: String?
    /// Milliseconds before it happens.
    public var delay = 0
    /// The stream limit that the connection gets from then on.
    public var streamLimit: Int?
    /// What is reported of a text message; `nil`: it is delivered, where it is answered as accepted.
    public var report: Report?
    /// How many requests it meets before it is spent; `nil` for no end.
    public var times: Int?
    /// Of the requests that it could meet, every how many-th it does.
    public var every = 1
    /// How many requests it lets pass first.
    public var after = 0
    /// It meets only requests on the first so many connections that bring one; `nil` for all connections.
    public var connections: Int?
    /// Whether ``times``, ``every`` and ``after`` are counted on each connection for itself.
    public var isPerConnection = false
    /// Milliseconds after it was set until it ends; `nil` for no end.
    public var lasting: Int64?

    /// Creates a rule that answers 200 to everything, to be changed.
    public init() {}

    /// Creates a rule that answers requests for a token with a status and a reason.
    public init(token: String? = nil, status: Int, reason: String?, times: Int? = nil) {
        self.token = token
        self.status = status
        self.reason = reason
        self.times = times
    }

    /// Creates a rule with another effect than an answer.
    public init(token: String? = nil, _ effect: Effect, times: Int? = nil) {
        self.token = token
        self.effect = effect
        self.times = times
    }
}
