// SPDX-License-Identifier: Apache-2.0

import Bus

/// Builds the tree out of events: anchors, merge keys, and budgets for what a small file can unfold into.
struct Composer: ~Copyable {
    /// Deeper nesting is refused: no configuration needs it, and the tree is walked recursively.
    private static let deepest = 100
    /// More nodes are refused, those that aliases repeat included.
    private static let mostNodes = 100_000

    private struct Anchored {
        var node: ConfigurationNode
        var size: Int
    }

    /// Problems that do not stop the reading.
    private(set) var diagnostics: [Diagnostic] = []
    private let reader: EventReader
    private let source: SourceText
    private let isOptional: Bool
    private var anchors: [String: Anchored] = [:]
    private var openAnchors: Set<String> = []
    private var count = 0

    /// With `optional`, nothing but comments is an empty map; a file without a word is never what somebody wrote.
    init(_ source: SourceText, optional: Bool) throws(ConfigurationError) {
        self.source = source
        isOptional = optional && !source.isBlank
        reader = try EventReader(source)
    }

    /// Returns the only document.
    mutating func compose() throws(ConfigurationError) -> ConfigurationNode {
        var root: ConfigurationNode?
        while true {
            let event = try reader.next()
            switch event.kind {
            case .end:
                guard let root, !root.isNull else {
                    if isOptional { return ConfigurationNode(.map([]), at: SourceMark(file: source.file)) }
                    throw ConfigurationError(at: SourceMark(file: source.file), "the file is empty")
                }
                return root
            case .documentStart:
                guard root == nil else {
                    throw ConfigurationError(at: event.mark, "a second document begins here; a file holds only one")
                }
                root = try node(try reader.next(), owner: nil, depth: 1)
            default: break
            }
        }
    }

    private mutating func node(
        _ event: EventReader.Event,
        owner: SourceMark?,
        depth: Int
    ) throws(ConfigurationError) -> ConfigurationNode {
        if case .alias(let name) = event.kind { return try repeated(name, event.mark, owner) }
        guard depth <= Self.deepest else {
            throw ConfigurationError(at: event.mark, "nested deeper than \(Self.deepest) levels")
        }
        let sizeBefore = count
        try spend(1, at: event.mark)
        if let anchor = event.anchor { openAnchors.insert(anchor) }
        let node = ConfigurationNode(
            try content(event, depth),
            at: isEmpty(event) ? owner ?? event.mark : event.mark,
            owner: owner
        )
        if let anchor = event.anchor {
            openAnchors.remove(anchor)
            anchors[anchor] = Anchored(node: node, size: count - sizeBefore)
        }
        return node
    }

    private mutating func content(
        _ event: EventReader.Event,
        _ depth: Int
    ) throws(ConfigurationError) -> ConfigurationNode.Content {
        let tag = try Tag(event)
        switch event.kind {
        case .scalar(let text, let isQuoted):
            return .scalar(.init(text, isPlain: tag.isPlain ?? !isQuoted))
        case .listStart(let isFlow): return .list(try list(depth, isFlow: isFlow))
        case .mapStart: return .map(try map(depth))
        default: throw ConfigurationError(at: event.mark, "a value is missing here")
        }
    }

    private mutating func list(_ depth: Int, isFlow: Bool) throws(ConfigurationError) -> [ConfigurationNode] {
        var items: [ConfigurationNode] = []
        while true {
            let event = try reader.next()
            if case .listEnd = event.kind { return items }
            let dash = isFlow ? nil : source.dash(before: event.mark)
            items.append(try node(event, owner: dash ?? event.mark, depth: depth + 1))
        }
    }

    private mutating func map(_ depth: Int) throws(ConfigurationError) -> [ConfigurationNode.Entry] {
        var map = MapBuilder()
        while true {
            let event = try reader.next()
            if case .mapEnd = event.kind {
                diagnostics += map.diagnostics
                return map.merged()
            }
            let key = try key(event)
            try spend(1, at: event.mark)
            let value = try node(try reader.next(), owner: event.mark, depth: depth + 1)
            try map.add(ConfigurationNode.Entry(key.text, at: event.mark, value), isPlain: key.isPlain)
        }
    }

    private func key(_ event: EventReader.Event) throws(ConfigurationError) -> ConfigurationNode.Scalar {
        switch event.kind {
        case .scalar(let text, let isQuoted):
            let key = ConfigurationNode.Scalar(text, isPlain: try Tag(event).isPlain ?? !isQuoted)
            if !key.isNull { return key }
            throw ConfigurationError(at: event.mark, "a key is missing before the ':'")
        case .alias:
            throw ConfigurationError(at: event.mark, "a key must be written out, and this is an alias")
        default:
            throw ConfigurationError(at: event.mark, "a key must be a single value, not a list or a map")
        }
    }

    private mutating func repeated(
        _ name: String,
        _ mark: SourceMark,
        _ owner: SourceMark?
    ) throws(ConfigurationError) -> ConfigurationNode {
        guard let found = anchors[name], !openAnchors.contains(name) else {
            if openAnchors.contains(name) { throw ConfigurationError(at: mark, "'*\(name)' would hold itself") }
            let advice = Suggestion.clause(for: name, in: anchors.keys.sorted())
            throw ConfigurationError(at: mark, "there is no anchor '&\(name)' before this\(advice)")
        }
        try spend(found.size, at: mark)
        var node = found.node
        node.owner = owner ?? mark
        return node
    }

    private mutating func spend(_ nodes: Int, at mark: SourceMark) throws(ConfigurationError) {
        count += nodes
        guard count <= Self.mostNodes else {
            throw ConfigurationError(at: mark, "more than \(Self.mostNodes) values, those that aliases repeat included")
        }
    }

    private func isEmpty(_ event: EventReader.Event) -> Bool {
        if case .scalar("", isQuoted: false) = event.kind { true } else { false }
    }
}
