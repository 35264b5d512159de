// SPDX-License-Identifier: Apache-2.0

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
            "How the bank proves who it is; without it everybody who reaches the listener is the bank.",
            of: [
                SettingsAlternative("basic") {
                    .basic($0.requiredGroup("basic", "HTTP Basic authentication."))
                },
                SettingsAlternative("ws_security") {
                    .wsSecurity($0.requiredGroup("ws_security", "A WS-Security UsernameToken, as text or as digest."))
                },
                SettingsAlternative("client_certificate") {
                    Self.readClientCertificate(&$0)
                },
            ]
        )
        maximumBody = reader.optional(
            "max_body",
            "The largest request; a larger one gets HTTP 413.",
            default: .mebibytes(1),
            in: .kibibytes(1)...(.mebibytes(64))
        )
        trustsDeclaration = reader.optional(
            "trust_declaration",
            "Read windows-1251 that declares itself, and that the HTTP header calls UTF-8 by mistake; false refuses it.",
            default: true
        )
        authMark = reader.mark(of: "auth")
    }

    private static func readClientCertificate(_ reader: inout SettingsReader) -> Authentication {
        let _: Bool = reader.required(
            "client_certificate",
            "A certificate that the node file's tls.client_ca vouches for.",
            example: "true"
        ) { (value: Bool) in value ? nil : "must be true; to let everybody in, leave 'auth' out" }
        return .clientCertificate
    }
}
