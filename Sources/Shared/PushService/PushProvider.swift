// SPDX-License-Identifier: Apache-2.0

public import Bus
public import HTTP2

/// What is one provider's own: its credentials, its requests, and what its answers mean.
///
/// Called on any thread, and never waits.
public protocol PushProvider: Sendable {
    /// Writes requests; used by one thread at a time.
    associatedtype Writer: PushRequestWriter

    /// What to show now; where that is awaited, see ``whenSettled(_:)``.
    func credential() -> PushCredential.Standing
    /// Calls `then` as soon as there is a credential or a failure, perhaps at once.
    func whenSettled(_ then: @escaping @Sendable (PushCredential.Standing) -> Void)
    /// Notes that the provider accepted a request with the credential of `version`.
    func confirm(_ version: Int)
    /// Replaces the credential of `version`, which the provider refuses; returns whether a request is worth a repeat.
    func renew(after version: Int) -> Bool
    /// Keeps the credential, come what may: the provider says that they change too often.
    func hold()
    /// What became of a request.
    func judge(_ outcome: HTTP2Outcome, at now: WallTime) -> PushJudgement
}

extension PushProvider {
    /// There is a credential at all times.
    public func whenSettled(_ then: @escaping @Sendable (PushCredential.Standing) -> Void) { then(credential()) }
    /// Has nothing to learn from it.
    public func confirm(_ version: Int) {}
    /// Changes its credentials as often as it likes.
    public func hold() {}
}

/// Turns deliveries into requests; it may keep what it rendered last, since a notification's deliveries come together.
public protocol PushRequestWriter: Sendable {
    /// The request for one delivery, or why it can never be sent.
    mutating func request(
        _ delivery: Delivery,
        tag: UInt64,
        showing credential: PushCredential,
        at now: WallTime
    ) -> Result<HTTP2Request, PushRefusal>
    /// Forgets what was rendered last: content is not kept longer than it is needed.
    mutating func forget()
}

/// Why a delivery can never be sent.
public struct PushRefusal: Error {
    /// In words for operators.
    public let reason: String

    /// Gives a reason.
    public init(_ reason: String) { self.reason = reason }
}

/// What an answer means for a delivery, and what is to be done about it besides.
public struct PushJudgement: Sendable, Equatable {
    /// What the channel does besides telling the outcome.
    public enum Remedy: Sendable, Equatable {
        case none
        /// Replaces the connections.
        case reconnect
        /// Replaces the connections, and sends the delivery once more at once.
        case reconnectAndRepeat
        /// Renews the credential and, where the old one was a connection's, replaces the connections; sends the delivery
        /// once more where that is worth it.
        case renew(reconnecting: Bool)
        /// Keeps the credential.
        case hold
    }

    /// What is told of the delivery.
    public let outcome: Outcome
    /// What else follows.
    public var remedy: Remedy

    /// Pairs an outcome with what else follows.
    public init(_ outcome: Outcome, _ remedy: Remedy = .none) {
        self.outcome = outcome
        self.remedy = remedy
    }

    /// What it means that there is no answer; `nil` where there is one.
    public init?(without answer: HTTP2Outcome) {
        switch answer {
        case .response: return nil
        case .unsent(let failure): self.init(Outcome(failure))
        case .unknown(let why): self.init(.unknown(reason: why))
        }
    }
}
