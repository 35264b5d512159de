// SPDX-License-Identifier: Apache-2.0

public import Bus
import Unicode

/// Makes one user of the spellings a bank and an app have for him.
public struct MapIDs: Stage {
    /// How users are recognised.
    public struct Settings: ModuleSettings {
        let isCaseInsensitive: Bool

        /// Reads the options.
        public init(from reader: inout SettingsReader) {
            isCaseInsensitive = reader.optional(
                "case_insensitive",
                "Whether users whose names differ in case only are one.",
                default: false
            )
        }
    }

    /// The name in pipeline files.
    public static let name = "map_ids"
    /// What it is for.
    public static let summary = "Recognises users whatever the case their names are written in."

    private let settings: Settings

    /// Makes the stage.
    public init(settings: Settings, context: ModuleContext) { self.settings = settings }

    /// Maps every user that a message names; notification ids are never touched.
    public func process(_ message: Message) async -> Verdict {
        guard settings.isCaseInsensitive else { return .proceed(message) }
        var message = message
        message.mapRecipients { $0.id = RecipientID(caseFold($0.id.text)) }
        return .proceed(message)
    }
}
