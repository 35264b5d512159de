// SPDX-License-Identifier: Apache-2.0

import Unicode
import XML

/// Writes an envelope anew with every reference replaced by what it stands for, and every map of a scripting language
/// by elements of its keys.
///
/// References are followed within the document only; how often, how deep and to how many bytes is bounded, for a
/// handful of them can stand for any amount.
struct EnvelopeResolver {
    private static let deepest = 100

    private let graph: EnvelopeGraph
    /// Bytes and elements that may be written: some times what came, so that little cannot make much work.
    private let limit: (bytes: Int, elements: Int)
    private var writer = XMLWriter(capacity: 4096)
    private var written = 0

    /// The envelope in a document, resolved, of some times its size and at most `limit` bytes.
    ///
    /// - Throws: ``SOAPFault``, or the parser's error.
    static func resolve(_ bytes: [UInt8], charset: String?, with parser: XMLParser, limit: Int) throws -> [UInt8] {
        let graph = EnvelopeGraph()
        try parser.parse(bytes, charset: charset, handler: graph)
        // A namespace that was declared once is declared at every element.
        let room = min(limit, 16 * bytes.count + 65_536)
        var resolver = EnvelopeResolver(graph: graph, limit: (room, 4 * graph.nodes.count + 1_000))
        if !graph.nodes.isEmpty { try resolver.write(0, depth: 0) }
        return resolver.writer.bytes
    }

    private init(graph: EnvelopeGraph, limit: (bytes: Int, elements: Int)) {
        self.graph = graph
        self.limit = limit
    }

    private mutating func write(_ index: Int, as name: String? = nil, depth: Int) throws(SOAPFault) {
        written += 1
        guard depth < Self.deepest, written <= limit.elements, writer.bytes.count <= limit.bytes else {
            throw .client("the references in the Body make it too large or too deep")
        }
        let node = graph.nodes[index]
        let source = try target(of: index)
        let tag = open(name ?? node.name, in: name == nil ? node.namespace : "", graph.nodes[source].attributes)
        if isMap(source, named: name ?? node.name) {
            try writeMap(source, depth: depth)
        } else {
            try writeContent(of: source, isBody: depth == 1 && node.name == "Body", depth: depth)
        }
        writer.markup("</")
        writer.name(tag)
        writer.markup(">")
    }

    /// The element whose content is this one's, after any number of references.
    private func target(of index: Int) throws(SOAPFault) -> Int {
        var index = index
        for _ in 0..<Self.deepest {
            guard let reference = graph.nodes[index].reference else { return index }
            guard let next = graph.named[reference] else { throw .client("a reference in the Body leads nowhere") }
            index = next
        }
        throw .client("the references in the Body go round in a circle")
    }

    /// Writes a start tag; returns its name.
    private mutating func open(
        _ name: String,
        in namespace: String,
        _ attributes: [EnvelopeGraph.Attribute]
    ) -> String {
        let tag = namespace.isEmpty ? name : "e:\(name)"
        writer.markup("<")
        writer.name(tag)
        if !namespace.isEmpty { declare("e", namespace) }
        for (number, attribute) in attributes.enumerated() {
            let isPlain = attribute.namespace.isEmpty
            // "xml" needs no declaration, and may have no other prefix.
            let isXML = attribute.namespace == "http://www.w3.org/XML/1998/namespace"
            let prefix = isXML ? "xml" : "a\(number)"
            if !isPlain, !isXML { declare(prefix, attribute.namespace) }
            writer.markup(" ")
            writer.name(isPlain ? attribute.name : "\(prefix):\(attribute.name)")
            writer.markup("=\"")
            writer.text(attribute.value)
            writer.markup("\"")
        }
        writer.markup(">")
        return tag
    }

    private mutating func declare(_ prefix: String, _ namespace: String) {
        writer.markup(" xmlns:")
        writer.name(prefix)
        writer.markup("=\"")
        writer.text(namespace)
        writer.markup("\"")
    }

    private mutating func writeContent(of source: Int, isBody: Bool, depth: Int) throws(SOAPFault) {
        for part in graph.nodes[source].content {
            switch part {
            case .text(let bytes): writer.text(String(decoding: bytes, as: UTF8.self))
            // What is referred to stands beside the call, and was put into it.
            case .element(let child) where isBody && isReferred(child): continue
            case .element(let child): try write(child, depth: depth + 1)
            }
        }
    }

    private func isReferred(_ index: Int) -> Bool { graph.nodes[index].id.map(graph.referred.contains) ?? false }

    /// Whether an element is a map whose keys are the names of fields; those of details are not.
    private func isMap(_ index: Int, named name: String) -> Bool {
        guard name != "details", name != "pushDetails" else { return false }
        return graph.nodes[index].attributes.contains { $0.name == "type" && SOAPEncoding.isMap($0.value.utf8) }
    }

    private mutating func writeMap(_ source: Int, depth: Int) throws(SOAPFault) {
        for item in graph.nodes[source].children {
            let parts = graph.nodes[try target(of: item)].children
            guard let key = parts.first(where: { graph.nodes[$0].name == "key" }),
                let value = parts.first(where: { graph.nodes[$0].name == "value" })
            else { continue }
            let name = trimmed(graph.text(of: try target(of: key)))
            let isName = name.first?.isLetter == true && name.utf8.allSatisfy(Self.isNameByte)
            if isName { try write(value, as: name, depth: depth + 1) }
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
