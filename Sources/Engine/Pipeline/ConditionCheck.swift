// SPDX-License-Identifier: Apache-2.0

import Bus

/// Finds what a `when` asks for in vain: a condition that cannot hold turns its item off without a word.
struct ConditionCheck {
    /// What stands at the condition's place.
    enum Place {
        case stage
        /// A channel to devices, and the platforms it reaches.
        case channel(name: String, Set<Platform>)
        /// A channel to phone numbers.
        case phones
    }

    let place: Place
    /// The apps of the pipeline; `nil` where they are not all known.
    let apps: [AppDeclaration]?
    /// The platforms that some channel of the pipeline reaches.
    let platforms: Set<Platform>
    private let domain: ConditionDomain
    private let context: SettingsContext
    private(set) var diagnostics: [Diagnostic] = []

    /// Looks at the condition of an item.
    init(
        _ item: PipelineItem,
        at place: Place,
        apps: [AppDeclaration]?,
        platforms: Set<Platform>,
        context: SettingsContext
    ) {
        self.place = place
        self.apps = apps
        self.platforms = platforms
        self.context = context
        let asked = Set(item.condition.map(\.askedApps) ?? [])
        domain =
            switch place {
            case .stage: .stage(ConditionDomain.devices(apps, on: platforms, asked: asked))
            case .channel(_, let reached): .channel(ConditionDomain.devices(apps, on: reached, asked: asked))
            case .phones: .phones
            }
        guard let node = item.conditionNode, let condition = item.condition else { return }
        checkNames(node)
        guard diagnostics.isEmpty else { return }
        if ConditionSolver.canHold(condition, in: domain) {
            checkAlternatives(node)
        } else {
            report(narrowest(node, owner: item.conditionMark))
        }
    }

    // MARK: Names that there are not

    private mutating func checkNames(_ node: ConfigurationNode) {
        for entry in node.entries ?? [] {
            switch entry.key {
            case "any", "all": for item in entry.value.items ?? [] { checkNames(item) }
            case "not": checkNames(entry.value)
            case "app", "platform":
                if case .phones = place {
                    let message =
                        "'\(entry.key)' never holds for a text message, which goes to a number and not to a device: "
                        + "PIN codes would have no fallback; remove it"
                    diagnostics.append(.error(at: entry.keyMark, message))
                } else if entry.key == "app" {
                    for value in entry.value.items ?? [entry.value] { checkApp(value) }
                }
            default: break
            }
        }
    }

    private mutating func checkApp(_ node: ConfigurationNode) {
        // What a variable brings is looked at by the solver only.
        guard let apps, let name = node.scalar?.text, !name.contains("${") else { return }
        let known = apps.map(\.id)
        guard !known.contains(name) else { return }
        let advice = Suggestion.clause(for: name, in: known)
        let list = advice.isEmpty ? "; declared are: \(known.prefix(20).joined(separator: ", "))" : advice
        diagnostics.append(.error(at: node.mark, "'app' asks for '\(name)', which no 'apps' here declares\(list)"))
    }

    // MARK: Parts that cannot hold

    private struct Part {
        var node: ConfigurationNode
        var mark: SourceMark
        /// The key, where the part is one test.
        var key: String?
    }

    /// The smallest part of a condition that cannot hold by itself.
    private func narrowest(_ node: ConfigurationNode, owner: SourceMark) -> Part {
        for entry in node.entries ?? [] {
            let alone = ConfigurationNode(.map([entry]), at: entry.keyMark, owner: owner)
            guard !canHold(alone) else { continue }
            if entry.key == "all", let item = entry.value.items?.first(where: { !canHold($0) }) {
                return narrowest(item, owner: item.mark)
            }
            let isWhole = ["any", "all", "not"].contains(entry.key)
            return Part(node: alone, mark: isWhole ? entry.keyMark : entry.value.mark, key: entry.key)
        }
        return Part(node: node, mark: owner, key: nil)
    }

    /// An alternative that cannot hold does nothing, whatever the others do.
    private mutating func checkAlternatives(_ node: ConfigurationNode) {
        for entry in node.entries ?? [] where entry.key == "any" || entry.key == "all" {
            for item in entry.value.items ?? [] {
                if canHold(item) { checkAlternatives(item) } else { report(narrowest(item, owner: item.mark)) }
            }
        }
    }

    private func canHold(_ node: ConfigurationNode) -> Bool {
        var ignored: [Diagnostic] = []
        guard let condition = Condition.read(node, context: context, diagnostics: &ignored) else { return true }
        return ConditionSolver.canHold(condition, in: domain)
    }

    private mutating func report(_ part: Part) {
        diagnostics.append(.error(at: part.mark, message(part)))
    }

    private func message(_ part: Part) -> String {
        switch (place, part.key) {
        case (.phones, _):
            return "'when' holds for no PIN_CODE, and nothing else goes out as a text message: PIN codes would have no"
                + " fallback; ask for type: PIN_CODE, or remove it"
        case (.channel(let name, let reached), "platform"):
            return "'platform' never holds here: \(name) reaches \(Self.list(reached))"
        case (.stage, "platform"):
            return "'platform' never holds here: the channels of this pipeline reach \(Self.list(platforms))"
        case (.stage, nil):
            return "'when' can never hold: no message meets all of this at once; at the stages a notification has no"
                + " device yet, and a registration no type"
        case (_, let key?) where key != "any" && key != "all" && key != "not":
            return "'\(key)' never holds here"
        default: return "'when' can never hold: no message meets all of this at once"
        }
    }

    private static func list(_ platforms: Set<Platform>) -> String {
        platforms.isEmpty ? "no devices" : platforms.map(\.rawValue).sorted().joined(separator: " and ")
    }
}

extension Condition {
    /// The apps that it asks for, anywhere in it.
    fileprivate var askedApps: [String] {
        switch self {
        case .app(let apps): apps
        case .all(let parts), .any(let parts): parts.flatMap(\.askedApps)
        case .not(let part): part.askedApps
        case .type, .platform, .segment, .priority, .tag: []
        }
    }
}
