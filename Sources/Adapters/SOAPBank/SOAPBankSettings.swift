// SPDX-License-Identifier: Apache-2.0

import BankService
public import Bus

/// The options of `soap_bank`.
public struct SOAPBankSettings: ModuleSettings {
    /// How a bank proves who it is.
    enum Authentication {
        case basic(Credentials)
        case wsSecurity(Credentials)
        case clientCertificate
    }

    let path: String
    let auth: Authentication?
    let maximumBody: ByteCount
    /// Whether the document's own word counts where the header's is certainly wrong.
    let trustsDeclaration: Bool
    /// Where `auth` stands, for what `check` says about it.
    let authMark: SourceMark
    /// Whether it was written at all: one that is wrong is not none.
    let isAuthGiven: Bool

    /// Reads the options.
    public init(from reader: inout SettingsReader) {
        path = reader.required(
            "path",
            "Where banks call; the WSDL is at the same path with ?wsdl.",
            example: "/pigeon/services/SBIInboundWebService",
            validate: HTTPRoute.problem(path:)
        )
        auth = reader.optionalChoice(
            "auth",
            BankDoor.auth,
            of: [
                SettingsAlternative("basic") {
                    .basic($0.requiredGroup("basic", "HTTP Basic authentication."))
                },
                SettingsAlternative("ws_security") {
                    .wsSecurity($0.requiredGroup("ws_security", "A WS-Security UsernameToken, as text or as digest."))
                },
                SettingsAlternative("client_certificate") {
                    BankDoor.clientCertificate(&$0)
                    return .clientCertificate
                },
            ]
        )
        maximumBody = BankDoor.maximumBody(&reader)
        trustsDeclaration = reader.optional(
            "trust_declaration",
            "Believe a document's own declaration where the HTTP header's charset is certainly wrong; false refuses it.",
            default: true
        )
        authMark = reader.mark(of: "auth")
        isAuthGiven = reader.isGiven("auth")
    }
}
