// SPDX-License-Identifier: Apache-2.0

public import Bus

/// The options of `soap_bank`.
public struct SOAPBankSettings: ModuleSettings {
    /// How a bank proves who it is.
    enum Authentication {
        case basic(Credentials)
        case wsSecurity(Credentials)
        case clientCertificate(Bool)
    }

    let path: String
    let auth: Authentication?
    let maximumBody: ByteCount
    /// Where `auth` stands, for what `check` says about it.
    let authMark: SourceMark

    /// Reads the options.
    public init(from reader: inout SettingsReader) {
        path = reader.required(
            "path",
            "Where banks call; the WSDL is at the same path with ?wsdl.",
            example: "/pigeon/services/SBIInboundWebService",
            validate: Self.problem(path:)
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
                    .clientCertificate($0.required("client_certificate", "A certificate that client_ca signed."))
                },
            ]
        )
        maximumBody = reader.optional(
            "max_body",
            "The largest request; a larger one gets HTTP 413.",
            default: .mebibytes(1),
            in: .kibibytes(1)...(.mebibytes(64))
        )
        authMark = reader.mark(of: "auth")
    }

    private static func problem(path: String) -> String? {
        guard path.hasPrefix("/"), path.utf8.count > 1, !path.hasSuffix("/") else {
            return "must begin with / and not end with it"
        }
        let isPlain = path.utf8.allSatisfy { (0x21...0x7e).contains($0) && !"?#%\"<>\\".utf8.contains($0) }
        return isPlain ? nil : "must hold neither blanks nor any of ? # % \" < > \\"
    }
}
