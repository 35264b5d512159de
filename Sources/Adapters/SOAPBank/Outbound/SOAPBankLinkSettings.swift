// SPDX-License-Identifier: Apache-2.0

import BankService
public import Bus

/// The options of the outbound `soap_bank`.
public struct SOAPBankLinkSettings: ModuleSettings {
    /// The namespace of the original service.
    static let usualNamespace = "http://outbound.sbi.pigeon.idamobile.com/"

    let service: BankServiceSettings
    let namespace: String
    let auth: BankAuthentication?
    let authMark: SourceMark

    /// Reads the options.
    public init(from reader: inout SettingsReader) {
        service = BankServiceSettings(from: &reader)
        namespace = reader.optional(
            "namespace",
            "The namespace of the calls.",
            default: Self.usualNamespace,
            validate: Self.problem(namespace:)
        )
        auth = reader.optionalChoice("auth", "How the bus proves who it is.", of: BankAuthentication.alternatives)
        authMark = reader.mark(of: "auth")
    }

    private static func problem(namespace: String) -> String? {
        let isPlain = !namespace.isEmpty && namespace.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
        return isPlain ? nil : "must be a URI without blanks"
    }
}

/// How the bus proves to a bank who it is.
enum BankAuthentication {
    case basic(Credentials)
    case wsSecurity(UsernameTokenSettings)
    case clientCertificate(CertificateFileSettings)

    static var alternatives: [SettingsAlternative<Self>] {
        [
            SettingsAlternative("basic") { .basic($0.requiredGroup("basic", "HTTP Basic authentication.")) },
            SettingsAlternative("ws_security") {
                .wsSecurity($0.requiredGroup("ws_security", "A WS-Security UsernameToken."))
            },
            SettingsAlternative("client_certificate") {
                .clientCertificate($0.requiredGroup("client_certificate", "A certificate that the bank knows."))
            },
        ]
    }
}

/// A user name and a password, and how they are sent.
struct UsernameTokenSettings: ModuleSettings {
    let username: String
    let password: Secret
    let isDigest: Bool

    init(from reader: inout SettingsReader) {
        username = reader.required("username", "The name the bank knows.", example: "busd") {
            $0.isEmpty ? "must not be empty" : nil
        }
        password = reader.required("password", "Its password.", example: "${BANK_PASSWORD}") { (secret: Secret) in
            secret.reveal().isEmpty ? "must not be empty" : nil
        }
        isDigest = reader.optional("digest", "Whether a digest is sent in place of the password.", default: false)
    }
}

/// A certificate with its key.
struct CertificateFileSettings: ModuleSettings {
    let path: FilePath
    let password: Secret?
    let passwordMark: SourceMark

    init(from reader: inout SettingsReader) {
        path = reader.required("path", "The certificate and its key, .p12 or .pem.", example: "secrets/busd.p12")
        password = reader.optional("password", "The file's password.")
        passwordMark = reader.mark(of: "password")
    }
}
