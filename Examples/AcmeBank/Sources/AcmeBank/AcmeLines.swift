// SPDX-License-Identifier: Apache-2.0

import Bus

/// An inbound adapter for a mainframe that posts one line a notification: `id|user|text`.
public struct AcmeLines: InboundAdapter {
    /// What an integrator may set.
    public struct Settings: ModuleSettings {
        let path: String
        let timeout: Int

        /// Reads the options.
        public init(from reader: inout SettingsReader) {
            path = reader.required("path", "Where the mainframe posts to.", example: "/acme")
            timeout = reader.optional(
                "timeout",
                "How long a notification is worth sending, in seconds.",
                default: 3600,
                in: 0...86_400
            )
        }
    }

    /// The name in pipeline files.
    public static let name = "acme_lines"
    /// What it is for.
    public static let summary = "Notifications as lines of text: id|user|text."

    private let settings: Settings
    private let intake: any Intake

    /// The path it serves.
    public static func paths(_ settings: Settings) -> [String] { [settings.path] }

    /// Makes the adapter.
    public init(settings: Settings, context: ModuleContext) {
        self.settings = settings
        intake = context.intake
    }

    /// Where the mainframe posts to.
    public var routes: [HTTPRoute] {
        [HTTPRoute(.exact, path: settings.path, methods: ["POST"]) { await answer($0) }]
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        var report = ""
        for line in String(decoding: request.body, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "|", maxSplits: 2).map(String.init)
            guard parts.count == 3 else {
                report += "not a notification: a line is id|user|text\n"
                continue
            }
            let notification = Notification(
                id: NotificationID(parts[0]),
                recipients: [Recipient(RecipientID(parts[1]))],
                timeout: settings.timeout,
                content: PushContent(badge: 0, text: parts[2], type: .message)
            )
            report += "\(parts[0]) \(Self.word(await intake.submit(.notification(notification))))\n"
        }
        return HTTPResponse(status: 200, contentType: "text/plain; charset=utf-8", body: Array(report.utf8))
    }

    private static func word(_ reply: Reply) -> String {
        switch reply {
        case .accepted(let statuses): statuses.map(\.status.rawValue).joined(separator: ",")
        case .duplicate: "DUPLICATE"
        case .refused(let refusal): "REFUSED: \(refusal.message)"
        default: "FAILED"
        }
    }
}
