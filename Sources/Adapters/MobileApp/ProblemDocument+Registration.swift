// SPDX-License-Identifier: Apache-2.0

import WebAPI

extension ProblemDocument {
    /// The code is not the one that was sent.
    static var verificationFailed: Self { Self(403, "VERIFICATION_FAILED", "the code is not the right one") }

    /// Who guesses must wait.
    static func tooManyTries(retryAfter: Int) -> Self {
        let headers = [(name: "Retry-After", value: String(max(1, retryAfter)))]
        return Self(429, "TOO_MANY_TRIES", "too many tries; begin again later", headers: headers)
    }

    /// The exception of the bank's service, by its own name.
    static var unknownClient: Self {
        Self(404, "BankClientNotExistsException", "the bank knows no client of this bankClientId")
    }

    /// The bank said ERROR.
    static var authorizationFailed: Self {
        Self(502, "AUTHORIZATION_FAILED", "the bank did not begin the authorization; nothing was registered")
    }

    /// The bank gave no answer.
    static var bankUnreachable: Self {
        Self(502, "BANK_UNREACHABLE", "the bank gave no answer; nothing was registered")
    }

    /// The bank said something that is no answer.
    static func bankNotUnderstood(_ reason: String) -> Self {
        Self(502, "BANK_UNREACHABLE", "\(reason); nothing was registered")
    }

    /// The SMS gateway took nothing.
    static var gatewayUnreachable: Self {
        Self(502, "GATEWAY_UNREACHABLE", "the text message with the code could not be sent; nothing was registered")
    }
}
