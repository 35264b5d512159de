// SPDX-License-Identifier: Apache-2.0

public import Bus
import Unicode

/// Makes one user of the spellings and other names that a bank and an app have for them.
public struct MapIDs: Stage {
    /// How users are recognised.
    public struct Settings: ModuleSettings {
        let isCaseInsensitive: Bool
        let aliases: FilePath?
        let aliasesMark: SourceMark

        /// Reads the options.
        public init(from reader: inout SettingsReader) {
            isCaseInsensitive = reader.optional(
                "case_insensitive",
                "Whether users whose names differ in case only are one.",
                default: false
            )
            aliases = reader.optional(
                "aliases",
                "A CSV file of other names that users go by, with the columns alias and user.",
                example: "aliases.csv"
            )
            aliasesMark = reader.mark(of: "aliases")
        }

        /// A name in the form that is compared.
        func form(_ name: String) -> String { isCaseInsensitive ? caseFold(name) : name }
    }

    /// The name in pipeline files.
    public static let name = "map_ids"
    /// What it is for.
    public static let summary = "Recognises users whatever the case of their names, and by other names."

    private let settings: Settings
    private let aliases: AliasTable

    /// Reads the table of aliases, and says where it is wrong.
    public static func check(_ settings: Settings, _ check: inout ModuleCheck) {
        // An empty one is the stand-in of a path that was wrong.
        guard let path = settings.aliases, !path.resolved.isEmpty else { return }
        do { _ = try AliasTable(path.resolved, form: settings.form) } catch {
            for fault in error.faults {
                let mark = fault.line.map { SourceMark(file: path.resolved, line: $0) } ?? settings.aliasesMark
                check.error(at: mark, fault.line == nil ? "'aliases' \(fault.message)" : "the line \(fault.message)")
            }
        }
    }

    /// Makes the stage.
    ///
    /// - Throws: an error where the table cannot be read any more.
    public init(settings: Settings, context: ModuleContext) throws {
        self.settings = settings
        aliases = try settings.aliases.map { try AliasTable($0.resolved, form: settings.form) } ?? AliasTable()
    }

    /// Maps every user that a message names; notification ids are never touched.
    public func process(_ message: Message) async -> StageResult {
        guard settings.isCaseInsensitive || settings.aliases != nil else { return .proceed(message) }
        var message = message
        message.mapRecipients { $0.id = aliases.user(RecipientID(settings.form($0.id.text))) }
        return .proceed(message)
    }
}
