// SPDX-License-Identifier: Apache-2.0

public import Bus

/// One item of a pipeline's `inbound`, `stages` or `outbound`: a module, and how it is used here.
public struct PipelineItem: ModuleSettings {
    private static let ownKeys = ["name", "when", "enabled"]

    /// The module's name.
    public let module: String
    /// Where the module's name stands: problems of the whole module are reported there.
    public let mark: SourceMark
    /// What is written below the module's name, to be read by the module's own settings.
    public let options: ConfigurationNode
    /// The item's name: unique in its list, and the module's name where the user gave none.
    public let name: String
    /// Where the item's name stands.
    public let nameMark: SourceMark
    /// For which messages the item is used; `nil`: for all.
    public let condition: Condition?
    /// The condition as it is written.
    let conditionNode: ConfigurationNode?
    /// Where the condition stands.
    public let conditionMark: SourceMark
    /// Whether the item is used at all.
    public let isEnabled: Bool

    /// Reads an item.
    public init(from reader: inout SettingsReader) {
        let given = reader.optional(
            "name",
            "The item's name in admin paths, metrics and timelines; the module's name where it is not given.",
            example: "backup_gateway",
            validate: Self.problem(name:)
        )
        var written: ConfigurationNode?
        condition = reader.optional(
            "when",
            "For which messages the item is used.",
            example: "{ type: PIN_CODE }"
        ) { (node, context, diagnostics) -> Condition? in
            written = node
            return Condition.read(node, context: context, diagnostics: &diagnostics)
        }
        conditionNode = written
        conditionMark = reader.keyMark(of: "when")
        isEnabled = reader.optional("enabled", "Whether the item is used at all.", default: true)
        if reader.claim("listener") != nil {
            let problem = "'listener' is not available in this release: 'listen' of the node file serves all"
            reader.report(.error(at: reader.keyMark(of: "listener"), problem))
        }
        let entry = Self.module(&reader)
        mark = entry.keyMark
        module = entry.key
        options = entry.value
        name = given ?? entry.key
        nameMark = given == nil ? entry.keyMark : reader.mark(of: "name")
    }

    /// Finds the one key that is a module's name.
    private static func module(_ reader: inout SettingsReader) -> ConfigurationNode.Entry {
        var candidates = reader.givenKeys.filter { !ownKeys.contains($0) && $0 != "listener" }
        // With several keys left over, one that looks like a slip of an own key stays unknown and gets its advice.
        if candidates.count > 1 {
            candidates.removeAll { Suggestion.closest(to: $0, in: ownKeys) != nil }
        }
        guard let module = candidates.first, let entry = reader.claim(module) else {
            reader.report("an item needs a module here: one key that is its name, with its options below")
            let mark = reader.keyMark(of: "")
            return .init("", at: mark, ConfigurationNode(.map([]), at: mark))
        }
        for other in candidates.dropFirst() {
            guard let second = reader.claim(other) else { continue }
            let message =
                "'\(other)' is a second module in one item, which is '\(module)' already; begin a new item with '-'"
            reader.report(.error(at: second.keyMark, message))
        }
        return entry
    }

    private static func problem(name: String) -> String? {
        let isFine =
            !name.isEmpty && name.utf8.count <= 64
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
                default: false
                }
            }
        return isFine ? nil : "must be letters, digits, '_' and '-', 64 at most"
    }
}
