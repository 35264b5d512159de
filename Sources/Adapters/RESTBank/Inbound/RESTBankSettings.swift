// SPDX-License-Identifier: Apache-2.0

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
            "How the bank proves who it is; without it everybody who reaches the listener is the bank.",
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
