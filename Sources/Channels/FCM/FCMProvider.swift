// SPDX-License-Identifier: Apache-2.0

public import Bus
public import HTTP2
public import PushService

/// What is FCM's own: an access token that every channel with the service account shares.
public struct FCMProvider: PushProvider {
    let token: AccessToken

    /// Writes FCM's requests.
    public typealias Writer = RequestWriter

    /// The token, asked for where there is none.
    public func credential() -> PushCredential.Standing { token.current() }

    /// Waits for Google's answer.
    public func whenSettled(_ then: @escaping @Sendable (PushCredential.Standing) -> Void) { token.whenSettled(then) }

    /// Notes that a token works.
    public func confirm(_ version: Int) { token.confirm(version) }

    /// Drops a token, unless those before it were refused as well.
    public func renew(after version: Int) -> Bool { token.refuse(version) }

    /// Reads an answer of FCM's.
    public func judge(_ outcome: HTTP2Outcome, at now: WallTime) -> PushJudgement {
        guard case .response(let response) = outcome else {
            return PushJudgement(without: outcome) ?? PushJudgement(.unknown(reason: "no answer"))
        }
        return Answer(response, now: now).judgement
    }
}
