// SPDX-License-Identifier: Apache-2.0

public import Bus
public import HTTPClient

/// The options of `sms_gateway`.
public struct SMSGatewaySettings: ModuleSettings {
    /// How the gateway is called.
    public enum Method: String, CaseIterable, SettingsValue {
        /// Everything in the query of the URL: what every gateway understands that imitates Kannel.
        case get
        /// The text in the body, the rest in `X-Kannel-*` header fields: nothing secret in a URL.
        case post
    }

    /// Parts that fit into a URL of 8 KiB, each character in nine bytes.
    private static let mostPartsInURL = 10

    /// Where the gateway takes messages.
    public let url: ServiceURL
    let urlMark: SourceMark
    /// The account.
    public let username: String
    /// Its password.
    public let password: Secret
    /// What the phone shows as the sender; `nil`: what the gateway puts there.
    public let sender: SenderName?
    /// How long pushes have before a text message is sent.
    public let after: Duration
    /// How the gateway is called.
    public let method: Method
    /// Where the gateway reports what became of messages; `nil`: it is not asked.
    public let reports: ServiceURL?
    /// The most messages a second.
    public let rate: Int?
    /// The most parts of a message.
    public let maxParts: Int
    /// Whose habits national numbers follow.
    public let country: Country?
    /// A file of certificates trusted in addition to the system's.
    public let ca: FilePath?
    /// How long the gateway may take to answer.
    public let timeout: Duration

    /// Reads the options.
    public init(from reader: inout SettingsReader) {
        url = reader.required(
            "url",
            "Where the gateway takes messages.",
            example: "http://127.0.0.1:13013/cgi-bin/sendsms"
        )
        urlMark = reader.mark(of: "url")
        username = reader.required("username", "The account at the gateway.", example: "busd") {
            Self.problem(credential: $0)
        }
        password = reader.required("password", "Its password.", example: "${SMS_PASSWORD}") { (password: Secret) in
            Self.problem(credential: password.reveal())
        }
        sender = reader.optional(
            "from",
            "What the phone shows as the sender: a number, a short code, or a name; without it the gateway's own.",
            example: "MegaBank"
        )
        after = reader.optional(
            "after",
            "How long the pushes of a PIN code have before it is sent as a text message.",
            default: .seconds(30),
            in: .milliseconds(100)...(.seconds(3_600))
        )
        method = reader.optional(
            "method",
            "How the gateway is called; post keeps texts and the password out of URLs.",
            default: .get
        )
        reports = reader.optionalGroup("delivery_reports", "Asks the gateway what became of messages.")
            .map { (group: ReportSettings) in group.url }
        rate = reader.optional("rate", "The most messages a second.", in: 1...100_000, example: "50")
        maxParts = reader.optional(
            "max_parts",
            "The most parts of a message; a longer one is refused. Kannel's max-messages must not be less.",
            default: 10,
            in: 1...255
        )
        country = reader.optional("country", "Where numbers without a country code are: RU reads 8… and 9… as +7….")
        ca = reader.optional("ca", "Certificates (PEM) trusted in addition to the system's.", example: "tls/sms-ca.pem")
        timeout = reader.optional(
            "timeout",
            "How long the gateway may take to answer.",
            default: .seconds(10),
            in: .milliseconds(100)...(.seconds(120))
        )
        if method == .get, maxParts > Self.mostPartsInURL {
            reader.report("'max_parts' above \(Self.mostPartsInURL) needs 'method: post'", at: "max_parts")
        }
    }

    /// Both may have to be header fields.
    private static func problem(credential text: String) -> String? {
        let isFine = (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
        return isFine ? nil : "must have 1 to 128 bytes and no control characters"
    }
}

/// Where the gateway reports deliveries.
private struct ReportSettings: ModuleSettings {
    let url: ServiceURL

    init(from reader: inout SettingsReader) {
        url = reader.required(
            "url",
            "A path of the bus, as the gateway reaches it.",
            example: "http://bus.bank.example:8080/sms/reports"
        ) { (url: ServiceURL) in
            if url.query != nil { return "must have no query" }
            if url.text.utf8.count > 1_024 { return "must have at most 1024 characters" }
            return HTTPRoute.problem(path: url.path).map { "must have a path that \($0)" }
        }
    }
}
