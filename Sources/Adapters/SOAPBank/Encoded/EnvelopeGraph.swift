// SPDX-License-Identifier: Apache-2.0

import XML

/// A document's elements, and which of them stand for which.
final class EnvelopeGraph: XMLHandler {
    struct Attribute {
        let name: String
        let namespace: String
        let value: String
    }

    enum Content {
        case text([UInt8])
        case element(Int)
    }

    struct Node {
        let name: String
        let namespace: String
        var attributes: [Attribute] = []
        var content: [Content] = []
        /// The name by which others refer to it.
        var id: String?
        /// The name of the element whose content is this one's.
        var reference: String?

        /// The elements in it.
        var children: [Int] {
            content.compactMap { if case .element(let index) = $0 { index } else { nil } }
        }
    }

    private(set) var nodes: [Node] = []
    /// Elements by the names they are referred to.
    private(set) var named: [String: Int] = [:]
    /// The names that are referred to.
    private(set) var referred: Set<String> = []
    private var open: [Int] = []

    func startElement(_ name: XMLName, _ attributes: XMLAttributes) throws {
        let index = nodes.count
        var node = Node(name: string(name.local), namespace: string(name.namespace))
        for place in 0..<attributes.count { note(attributes[place], of: &node) }
        if let reference = node.reference { referred.insert(reference) }
        if let id = node.id {
            guard named.updateValue(index, forKey: id) == nil else {
                throw SOAPFault.client("two elements have the same id")
            }
        }
        nodes.append(node)
        if let parent = open.last { nodes[parent].content.append(.element(index)) }
        open.append(index)
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if let parent = open.last { nodes[parent].content.append(.text(Array(bytes))) }
    }

    func endElement() { open.removeLast() }

    /// What an element says in plain text.
    func text(of index: Int) -> String {
        var bytes: [UInt8] = []
        for case .text(let part) in nodes[index].content { bytes += part }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func note(_ attribute: (name: XMLName, value: UnsafeBufferPointer<UInt8>), of node: inout Node) {
        let value = string(attribute.value)
        let isEncoding = attribute.name.isIn(SOAPEncoding.namespace12)
        if attribute.name.isLocal("id"), attribute.name.namespace.isEmpty || isEncoding {
            node.id = value
        } else if attribute.name.isLocal("href"), attribute.name.namespace.isEmpty, value.hasPrefix("#") {
            node.reference = String(value.dropFirst())
        } else if attribute.name.isLocal("ref"), isEncoding {
            node.reference = value
        } else {
            let (name, namespace) = (string(attribute.name.local), string(attribute.name.namespace))
            node.attributes.append(Attribute(name: name, namespace: namespace, value: value))
        }
    }

    private func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
