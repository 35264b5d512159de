// SPDX-License-Identifier: Apache-2.0

/// The picture in the languages of other programs.
extension PipelineGraph {
    /// Mermaid, which forges and wikis draw.
    var mermaid: String {
        var text = "---\ntitle: \(Self.quoted(title))\n---\nflowchart LR\n"
        for (kind, name) in Self.sections {
            let members = nodes.filter { $0.kind == kind }
            guard !members.isEmpty else { continue }
            text += "    subgraph \(name)\n"
            for node in members { text += "        \(node.id)\(Self.shape(node))\n" }
            text += "    end\n"
        }
        let named = Self.sections.map(\.kind)
        for node in nodes where !named.contains(node.kind) { text += "    \(node.id)\(Self.shape(node))\n" }
        for edge in edges {
            let arrow = edge.isFallback ? "-.->" : "-->"
            let label = edge.label.isEmpty ? "" : "|\(Self.quoted(edge.label))|"
            text += "    \(edge.from) \(arrow)\(label) \(edge.to)\n"
        }
        let off = nodes.filter { !$0.isEnabled }.map(\.id)
        if !off.isEmpty {
            text += "    classDef off stroke-dasharray: 4 4,color:#888\n    class \(off.joined(separator: ",")) off\n"
        }
        return text
    }

    private static let sections: [(kind: Node.Kind, name: String)] = [
        (.inbound, "inbound"), (.stage, "stages"), (.channel, "channels"), (.phones, "fallback"),
        (.bankLink, "callbacks"),
    ]

    private static func shape(_ node: Node) -> String {
        let text = quoted(node.lines.joined(separator: "<br/>"), keeps: true)
        switch node.kind {
        case .ledger: return "[(\(text))]"
        case .caller, .farEnd: return "([\(text)])"
        default: return "[\(text)]"
        }
    }

    private static func quoted(_ text: String, keeps tags: Bool = false) -> String {
        var escaped = text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
        if !tags { escaped = escaped.replacing("<", with: "&lt;").replacing(">", with: "&gt;") }
        return "\"\(tags ? escapedTags(escaped) : escaped)\""
    }

    /// What looks like a tag and is no line break is text.
    private static func escapedTags(_ text: String) -> String {
        text.split(separator: "<br/>", omittingEmptySubsequences: false)
            .map { $0.replacing("<", with: "&lt;").replacing(">", with: "&gt;") }
            .joined(separator: "<br/>")
    }

    /// The language of Graphviz.
    var dot: String {
        var text =
            "digraph \(Self.dotQuoted([title])) {\n    rankdir=LR;\n    node [shape=box, fontname=\"sans-serif\"];\n"
        text += "    edge [fontname=\"sans-serif\", fontsize=10];\n"
        for node in nodes {
            let shape =
                switch node.kind {
                case .ledger: ", shape=cylinder"
                case .caller, .farEnd: ", shape=box, style=rounded"
                default: node.isEnabled ? "" : ", style=dashed, fontcolor=gray"
                }
            text += "    \(node.id) [label=\(Self.dotQuoted(node.lines))\(shape)];\n"
        }
        for column in Set(nodes.map(\.column)).sorted() {
            let ids = nodes.filter { $0.column == column }.map(\.id)
            if ids.count > 1 { text += "    { rank=same; \(ids.joined(separator: "; ")); }\n" }
        }
        for edge in edges {
            var attributes: [String] = []
            if !edge.label.isEmpty { attributes.append("label=\(Self.dotQuoted([edge.label]))") }
            if edge.isFallback { attributes.append("style=dashed") }
            let list = attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
            text += "    \(edge.from) -> \(edge.to)\(list);\n"
        }
        return text + "}\n"
    }

    private static func dotQuoted(_ lines: [String]) -> String {
        let escaped = lines.map { $0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") }
        return "\"\(escaped.joined(separator: "\\n"))\""
    }
}
