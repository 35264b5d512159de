// SPDX-License-Identifier: Apache-2.0

import Bus

/// A stage that refuses notifications with a forbidden word: the bank's own rule, in the bank's own library.
public struct AcmeCurfew: Stage {
    /// What an integrator may set.
    public struct Settings: ModuleSettings {
        let word: String

        /// Reads the options.
        public init(from reader: inout SettingsReader) {
            word = reader.required("word", "The word that no text may hold.", example: "lottery")
        }
    }

    /// Why the stage cannot be made.
    public struct SettingsError: Error, CustomStringConvertible {
        /// In words for the operator.
        public let description: String
    }

    /// The name in pipeline files.
    public static let name = "acme_curfew"
    /// What it is for.
    public static let summary = "Refuses texts with a forbidden word."

    private let settings: Settings

    /// Makes the stage.
    ///
    /// - Throws: ``SettingsError`` where the word would forbid everything.
    public init(settings: Settings, context: ModuleContext) throws {
        guard !settings.word.isEmpty else { throw SettingsError(description: "an empty word is in every text") }
        self.settings = settings
    }

    /// Looks at the text of notifications.
    public func process(_ message: Message) async -> StageResult {
        guard case .notification(let notification) = message, notification.content.text.contains(settings.word) else {
            return .proceed(message)
        }
        return .reject(Refusal(field: "pushContent.text", "holds a forbidden word"))
    }
}
