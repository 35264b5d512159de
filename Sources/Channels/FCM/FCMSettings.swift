// SPDX-License-Identifier: Apache-2.0

public import Bus
public import PushService

/// The options of `fcm`.
public struct FCMSettings: ModuleSettings {
    /// The service account's key file.
    public var serviceAccount: FilePath
    /// Where to send; `/v1/projects/…` comes after it.
    public var endpoint: BaseURL
    /// A file of certificates trusted in addition to the system's.
    public var ca: FilePath?
    /// The most connections at once.
    public var connections: Int

    /// Reads the options.
    public init(from reader: inout SettingsReader) {
        serviceAccount = reader.required(
            "service_account",
            "The service account's key, the JSON file from the Firebase console.",
            example: "secrets/service-account.json"
        )
        endpoint = reader.optional(
            "endpoint",
            "Google's service, or a stand-in's base URL.",
            default: BaseURL(host: "fcm.googleapis.com"),
            validate: Self.problem(ofEndpoint:)
        )
        ca = reader.optional(
            "ca",
            "Certificates (PEM) trusted in addition to the system's, for sending and for access tokens.",
            example: "secrets/ca.pem"
        )
        connections = reader.optional("connections", "The most connections at once.", default: 8, in: 1...1_000)
        for key in ["server_key", "api_key", "gcmAuthKey"] where reader.isGiven(key) {
            let problem = "'\(key)' opens nothing any more: \(ServiceAccount.serverKeyAdvice)"
            reader.ignoreKeys(prefix: key)
            reader.report(.error(at: reader.keyMark(of: key), problem))
        }
        if reader.isGiven("platforms") {
            reader.ignoreKeys(prefix: "platforms")
            let problem = "'platforms' is not available in this release: fcm serves ANDROID"
            reader.report(.error(at: reader.keyMark(of: "platforms"), problem))
        }
    }

    private static func problem(ofEndpoint url: BaseURL) -> String? {
        if url.path.hasSuffix("/fcm/send") { return "must not end with /fcm/send, which Google shut down in July 2024" }
        return url.path.contains("/v1/projects") ? "must be the base URL alone: /v1/projects/… is put behind it" : nil
    }
}
