// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

/// A pipeline as a picture: what stands where, and what goes from one to the other.
struct PipelineGraph {
    /// Something in the picture.
    struct Node {
        enum Kind {
            case caller, inbound, stage, ledger, channel, phones, bankLink, farEnd
        }

        let id: String
        let kind: Kind
        /// What it says, from the name down.
        let lines: [String]
        /// Which column it stands in, from the left.
        let column: Int
        var isEnabled = true
    }

    /// An arrow.
    struct Edge {
        let from: String
        let to: String
        var label = ""
        /// Whether it is taken only where the others came to nothing.
        var isFallback = false
    }

    let title: String
    private(set) var nodes: [Node] = []
    private(set) var edges: [Edge] = []

    /// Draws a pipeline; `registry` tells what its modules are.
    init(_ file: PipelineFile, registry: Registry) {
        title = file.name
        let context = SettingsContext()
        var column = 1
        let sources = file.inbound.map { item in
            let entry = registry.module(.inbound, item.module)
            let paths = entry.map { registry.bind($0, item.options, at: item.mark, context: context).paths } ?? []
            return add(.inbound, item, column, more: paths)
        }
        for source in sources {
            let caller = source.item.module == "mobile_app" ? "apps" : "bank"
            let name = caller == "apps" ? "Apps on phones" : "Bank"
            if !nodes.contains(where: { $0.id == caller }) {
                nodes.append(Node(id: caller, kind: .caller, lines: [name], column: 0))
            }
            if source.item.isEnabled { edges.append(Edge(from: caller, to: source.id)) }
        }
        var before = sources.filter(\.item.isEnabled).map(\.id)
        for item in file.stages {
            column += 1
            let stage = add(.stage, item, column)
            guard item.isEnabled else { continue }
            edges += before.map { Edge(from: $0, to: stage.id) }
            before = [stage.id]
        }
        column += 1
        nodes.append(Node(id: "ledger", kind: .ledger, lines: ["ledger", "urgent and bulk"], column: column))
        edges += before.map { Edge(from: $0, to: "ledger") }
        for item in file.outbound { addOutbound(item, column + 1, registry.module(.outbound, item.module), registry) }
    }

    private mutating func addOutbound(
        _ item: PipelineItem,
        _ column: Int,
        _ entry: Registry.Entry?,
        _ registry: Registry
    ) {
        let isBankLink = entry?.isBankLink ?? false
        let isForPhones = entry?.isForPhones ?? false
        let kind: Node.Kind = isBankLink ? .bankLink : isForPhones ? .phones : .channel
        let added = add(kind, item, column)
        guard item.isEnabled else { return }
        let binding = entry.map { registry.bind($0, item.options, at: item.mark, context: SettingsContext()) }
        let platforms = (binding?.platforms ?? []).map(\.rawValue).sorted()
        let (farEnd, label): (String, String) =
            isBankLink
            ? ("Bank's service", "callbacks")
            : isForPhones
                ? ("Phone numbers", "") : (platforms.isEmpty ? "Devices" : platforms.joined(separator: ", "), "")
        let arrow = isForPhones ? "PIN_CODE without a receipt in time" : isBankLink ? "what became of it" : "push"
        edges.append(Edge(from: "ledger", to: added.id, label: arrow, isFallback: isForPhones))
        let id = "far_\(added.id)"
        nodes.append(Node(id: id, kind: .farEnd, lines: [farEnd], column: column + 1))
        edges.append(Edge(from: added.id, to: id, label: label))
    }

    private mutating func add(
        _ kind: Node.Kind,
        _ item: PipelineItem,
        _ column: Int,
        more: [String] = []
    ) -> (id: String, item: PipelineItem) {
        let id = "n\(nodes.count)"
        var lines = [item.name]
        if item.name != item.module { lines.append(item.module) }
        lines += more
        if let condition = item.condition { lines.append("when \(condition.words)") }
        if !item.isEnabled { lines.append("(off)") }
        nodes.append(Node(id: id, kind: kind, lines: lines, column: column, isEnabled: item.isEnabled))
        return (id, item)
    }
}

extension Condition {
    /// It in a few words.
    var words: String {
        switch self {
        case .type(let types): "type \(Self.list(types.map(\.rawValue)))"
        case .platform(let platforms): "platform \(Self.list(platforms.map(\.rawValue)))"
        case .segment(let names): "segment \(Self.list(names))"
        case .app(let apps): "app \(Self.list(apps))"
        case .priority(let tests): "priority \(Self.list(tests.map(\.words)))"
        case .tag(let tests): "tag \(Self.list(tests.map(\.words)))"
        case .all(let conditions): conditions.map { "(\($0.words))" }.joined(separator: " and ")
        case .any(let conditions): conditions.map { "(\($0.words))" }.joined(separator: " or ")
        case .not(let condition): "not (\(condition.words))"
        }
    }

    private static func list(_ words: [String]) -> String { words.joined(separator: " or ") }
}

extension Condition.NumberTest {
    fileprivate var words: String {
        switch self {
        case .equal(let bound): "\(bound)"
        case .atLeast(let bound): ">= \(bound)"
        case .above(let bound): "> \(bound)"
        case .atMost(let bound): "<= \(bound)"
        case .below(let bound): "< \(bound)"
        }
    }
}

extension Condition.TagTest {
    fileprivate var words: String {
        switch self {
        case .named(let name): name
        case .text(let name, let values): "\(name) = \(values.joined(separator: " or "))"
        case .number(let name, let test): "\(name) \(test.words)"
        }
    }
}
