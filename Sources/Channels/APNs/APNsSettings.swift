// SPDX-License-Identifier: Apache-2.0

public import Bus

/// The options of `apns`.
public struct APNsSettings: ModuleSettings {
    /// Where to send.
    public var endpoint: Endpoint
    /// The app's bundle id, where a device brings none of its own.
    public var topic: String?
    /// How the bus proves who it is; `nil` only where reading failed.
    public var auth: Auth?
    /// A file of certificates trusted in addition to the system's.
    public var ca: FilePath?
    /// The most connections at once.
    public var connections: Int

    /// The two ways to prove who one is.
    public enum Auth: Sendable {
        /// A signing key, for all apps of a team.
        case key(KeySettings)
        /// A client certificate, for one app.
        case certificate(CertificateSettings)
    }

    /// Reads the options.
    public init(from reader: inout SettingsReader) {
        endpoint = reader.optional("endpoint", "Apple's service, or a stand-in's base URL.", default: .production)
        topic = reader.optional(
            "topic",
            "The app's bundle id; a certificate brings its own.",
            example: "com.megabank.retail",
            validate: Self.problem(ofTopic:)
        )
        auth = reader.requiredChoice(
            "auth",
            "How the bus proves who it is.",
            of: [
                SettingsAlternative("key") { .key($0.requiredGroup("key", "A signing key of the team.")) },
                SettingsAlternative("certificate") {
                    .certificate($0.requiredGroup("certificate", "A push certificate of one app."))
                },
            ]
        )
        ca = reader.optional("ca", "Certificates (PEM) trusted in addition to the system's.", example: "secrets/ca.pem")
        connections = reader.optional("connections", "The most connections at once.", default: 32, in: 1...1_000)
        if case .key = auth, reader.isMissing("topic") {
            reader.report("'topic' is missing; a signing key serves many apps, so it must be told which")
        }
    }

    private static func problem(ofTopic topic: String) -> String? {
        let isPlain = !topic.isEmpty && topic.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        return isPlain ? nil : "must be a bundle id, such as com.megabank.retail"
    }
}

/// A signing key from Apple's developer site.
public struct KeySettings: ModuleSettings {
    /// The `.p8` file.
    public var path: FilePath
    /// The key's id.
    public var keyID: String
    /// The team's id.
    public var teamID: String

    /// Reads the options.
    public init(from reader: inout SettingsReader) {
        path = reader.required("path", "The key's .p8 file.", example: "secrets/AuthKey_ABC123DEFG.p8")
        keyID = reader.required("key_id", "The key's id.", example: "ABC123DEFG", validate: Self.problem(ofID:))
        teamID = reader.required("team_id", "The team's id.", example: "DEF123GHIJ", validate: Self.problem(ofID:))
    }

    private static func problem(ofID text: String) -> String? {
        let isID =
            text.utf8.count == 10 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) }
        return isID ? nil : "must be 10 characters, A to Z and 0 to 9"
    }
}

/// A push certificate with its key.
public struct CertificateSettings: ModuleSettings {
    /// The `.p12` or PEM file.
    public var path: FilePath
    /// The file's password.
    public var password: Secret?
    /// Where the password stands, or the map it is missing in.
    public var passwordMark: SourceMark

    /// Reads the options.
    public init(from reader: inout SettingsReader) {
        path = reader.required("path", "The certificate and its key, .p12 or .pem.", example: "secrets/push.p12")
        password = reader.optional("password", "The file's password.")
        passwordMark = reader.mark(of: "password")
    }
}
