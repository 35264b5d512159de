// SPDX-License-Identifier: Apache-2.0

public import Bus
import Crypto
public import HTTP2
public import PushService

/// What is Apple's own: a token that every channel with the key shares, or a client certificate.
public struct APNsProvider: PushProvider {
    /// `nil` with a certificate.
    let token: ProviderToken?

    /// Writes Apple's requests.
    public typealias Writer = RequestWriter

    /// The token, signed where there is none.
    public func credential() -> PushCredential.Standing {
        guard let token else { return .ready(.ofConnection) }
        do throws(CryptoError) { return .ready(try token.current().credential) } catch {
            return .failed(reason: error.description)
        }
    }

    /// Notes that the clock is right which the token was made by.
    public func confirm(_ version: Int) { token?.confirm(version) }

    /// Makes a token that is not too old for Apple's clock.
    public func renew(after version: Int) -> Bool {
        token?.renew(after: version)
        return true
    }

    /// Makes no token before its time.
    public func hold() { token?.hold() }

    /// Reads an answer of Apple's.
    public func judge(_ outcome: HTTP2Outcome, at now: WallTime) -> PushJudgement {
        guard case .response(let response) = outcome else {
            return PushJudgement(without: outcome) ?? PushJudgement(.unknown(reason: "no answer"))
        }
        return Answer(response, now: now).judgement
    }
}
