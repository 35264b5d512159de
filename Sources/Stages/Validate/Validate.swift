// SPDX-License-Identifier: Apache-2.0

public import Bus

/// Refuses notifications that a bank should not have sent, beyond what every adapter refuses.
public struct Validate: Stage {
    /// What an integrator may demand.
    public struct Settings: ModuleSettings {
        let longestText: Int?
        let types: Set<NotificationType>
        let allowsUnknownRecipients: Bool

        /// Reads the options.
        public init(from reader: inout SettingsReader) {
            longestText = reader.optional(
                "max_text",
                "The longest text, in characters as a reader counts them.",
                in: 1...100_000,
                example: "200"
            )
            types = Set(reader.optionalList("types", "The types that pass; all where none is named.", default: []))
            allowsUnknownRecipients = reader.optional(
                "allow_unknown_recipients",
                "Whether users without a device get INVALID_SUBSCRIPTION; otherwise the request is refused.",
                default: true
            )
        }
    }

    /// The name in pipeline files.
    public static let name = "validate"
    /// What it is for.
    public static let summary = "Refuses notifications by type, length of text or unknown recipients."

    private let settings: Settings

    /// Makes the stage.
    public init(settings: Settings, context: ModuleContext) { self.settings = settings }

    /// Looks at notifications; everything else proceeds.
    public func process(_ message: Message) async -> StageResult {
        guard case .notification(var notification) = message else { return .proceed(message) }
        if !settings.types.isEmpty, !settings.types.contains(notification.content.type) {
            let allowed = NotificationType.allCases.filter(settings.types.contains).map(\.rawValue)
            return .reject(
                Refusal(field: "pushContent.type", "must be one of \(allowed.joined(separator: ", "))")
            )
        }
        if let longest = settings.longestText, notification.content.text.count > longest {
            return .reject(Refusal(field: "pushContent.text", "must have at most \(longest) characters"))
        }
        if settings.allowsUnknownRecipients { return .proceed(message) }
        notification.requiresKnownRecipients = true
        return .proceed(.notification(notification))
    }
}
