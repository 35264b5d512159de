// SPDX-License-Identifier: Apache-2.0

import BankService
public import Bus
import WebAPI

/// The options of inbound `rest_bank`.
public struct RESTBankSettings: ModuleSettings {
    /// How a bank proves who it is.
    enum Authentication {
        case bearer([Secret])
        case clientCertificate
    }

    let path: String
    let auth: Authentication?
    let maximumBody: ByteCount
    /// Where `auth` stands, for what `check` says about it.
    let authMark: SourceMark
    /// Whether it was written at all: one that is wrong is not none.
    let isAuthGiven: Bool

    /// Reads the options.
    public init(from reader: inout SettingsReader) {
        path = reader.required(
            "path",
            "Where banks call; the OpenAPI document is below it at /openapi.json.",
            example: "/api/v1",
            validate: HTTPRoute.problem(path:)
        )
        auth = reader.optionalChoice(
            "auth",
            BankDoor.auth,
            of: [
                SettingsAlternative("bearer") {
                    .bearer(
                        $0.requiredList(
                            "bearer",
                            "The tokens that are accepted.",
                            acceptsOne: true,
                            example: "[\"${BANK_TOKEN}\"]",
                            validate: BearerTokens.problem
                        )
                    )
                },
                SettingsAlternative("client_certificate") {
                    BankDoor.clientCertificate(&$0)
                    return .clientCertificate
                },
            ]
        )
        maximumBody = BankDoor.maximumBody(&reader)
        authMark = reader.mark(of: "auth")
        isAuthGiven = reader.isGiven("auth")
    }
}
