// SPDX-License-Identifier: Apache-2.0

public import Bus

/// The options of the outbound `soap_bank`.
public struct SOAPBankLinkSettings: ModuleSettings {
    /// The namespace of the original service.
    static let usualNamespace = "http://outbound.sbi.pigeon.idamobile.com/"

    let url: String
    let urlMark: SourceMark
    let events: [EventName]
    let namespace: String
    let ca: FilePath?
    let auth: BankAuthentication?
    let authMark: SourceMark
    let timeout: Duration
    let reportsUnconfirmed: Bool

    /// Reads the options.
    public init(from reader: inout SettingsReader) {
        url = reader.required(
            "url",
            "Where the bank's service is called.",
            example: "http://bank/SBIOutboundWebService",
            validate: Self.problem(url:)
        )
        urlMark = reader.mark(of: "url")
        events = reader.optionalList("events", "What the bank wants to hear.", default: [.expired, .opened])
        namespace = reader.optional(
            "namespace",
            "The namespace of the calls.",
            default: Self.usualNamespace,
            validate: Self.problem(namespace:)
        )
        ca = reader.optional(
            "ca",
            "Certificates (PEM) trusted in addition to the system's.",
            example: "tls/bank-ca.pem"
        )
        auth = reader.optionalChoice("auth", "How the bus proves who it is.", of: BankAuthentication.alternatives)
        authMark = reader.mark(of: "auth")
        timeout = reader.optional(
            "timeout",
            "How long one call may take.",
            default: .seconds(10),
            in: .milliseconds(100)...(.seconds(300))
        )
        reportsUnconfirmed = reader.optional(
            "report_unconfirmed",
            "Whether a notification that was sent and never confirmed is reported as expired.",
            default: false
        )
    }

    private static func problem(url: String) -> String? {
        let lower = url.lowercased()
        guard let scheme = ["http://", "https://"].first(where: lower.hasPrefix) else {
            return "must begin with http:// or https://"
        }
        let rest = url.dropFirst(scheme.count)
        let host = rest.prefix { $0 != "/" && $0 != "?" }
        if host.contains("@") { return "must hold no user or password; they go under 'auth'" }
        let isPlain = rest.utf8.allSatisfy { (0x21...0x7e).contains($0) && !"#\"<>\\".utf8.contains($0) }
        return !host.isEmpty && isPlain ? nil : "must be a URL: scheme, host, perhaps a port, and a path"
    }

    private static func problem(namespace: String) -> String? {
        let isPlain = !namespace.isEmpty && namespace.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
        return isPlain ? nil : "must be a URI without blanks"
    }
}

/// The events as they are written in a pipeline file.
enum EventName: String, CaseIterable, SettingsValue {
    case expired, opened, delivered, failed

    var kind: BankEvent.Kind {
        switch self {
        case .expired: .expired
        case .opened: .opened
        case .delivered: .delivered
        case .failed: .failed
        }
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
