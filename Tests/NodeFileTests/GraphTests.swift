// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Testing
import XML
import YAML

@testable import busd

@Suite("Pipelines as pictures")
struct GraphTests {
    private func graph(_ text: String) throws -> PipelineGraph {
        PipelineGraph(try PipelineFile.read(YAML.parse(text, file: "p.yaml")), registry: ModuleList.registry)
    }

    private static let bank = """
        pipeline: megabank
        inbound:
          - soap_bank: { path: /s }
          - rest_bank: { path: /r }
            name: second
        stages:
          - validate: {}
            enabled: false
          - map_ids: {}
        outbound:
          - apns: { topic: t }
            when: { all: [{ priority: ">=5" }, { not: { tag: { shop: [a, b] } } }] }
          - sms_gateway: { url: "http://127.0.0.1/s", username: u, password: p }
          - soap_bank: { url: "http://bank/s" }
        """

    @Test("Each item stands once, in its place, and what is off leads nowhere")
    func items() throws {
        let graph = try graph(Self.bank)
        let named = { (kind: PipelineGraph.Node.Kind) in graph.nodes.filter { $0.kind == kind } }
        #expect(named(.inbound).map(\.lines) == [["soap_bank", "/s"], ["second", "rest_bank", "/r"]])
        #expect(named(.stage).map(\.lines) == [["validate", "(off)"], ["map_ids"]])
        #expect(named(.channel).map { $0.lines[0] } == ["apns"])
        #expect(named(.channel)[0].lines[1] == "when (priority >= 5) and (not (tag shop = a or shop = b))")
        #expect(named(.phones).map { $0.lines[0] } == ["sms_gateway"])
        #expect(named(.bankLink).map { $0.lines[0] } == ["soap_bank"])
        let off = named(.stage)[0].id
        #expect(!graph.edges.contains { $0.from == off || $0.to == off })
        #expect(graph.edges.filter(\.isFallback).map(\.to) == named(.phones).map(\.id))
        let stage = named(.stage)[1].id
        #expect(graph.edges.filter { $0.to == stage }.map(\.from) == named(.inbound).map(\.id))
        #expect(graph.edges.contains { $0.from == stage && $0.to == "ledger" })
        for edge in graph.edges {
            #expect(graph.nodes.contains { $0.id == edge.from } && graph.nodes.contains { $0.id == edge.to })
        }
    }

    @Test("Signs that mean something to the languages are text in them")
    func escaping() throws {
        let graph = try graph(Self.bank.replacing("tag: { shop: [a, b] }", with: "app: ['<b>\"&', 'x\\y']"))
        #expect(graph.mermaid.contains("app &lt;b&gt;&quot;&amp; or x\\y"))
        #expect(graph.dot.contains("app <b>\\\"& or x\\\\y"))
        let texts = try Texts(of: graph.svg)
        #expect(texts.found.contains { $0.contains("app <b>\"& or x\\y") })
        #expect(texts.found.contains("megabank"))
    }

    @Test("The SVG shows every node and every arrow")
    func svg() throws {
        let graph = try graph(Self.bank)
        let texts = try Texts(of: graph.svg)
        for node in graph.nodes { for line in node.lines { #expect(texts.found.contains(line), "\(line)") } }
        #expect(texts.elements.count { $0 == "path" } == graph.edges.count + 1)
        #expect(texts.elements.count { $0 == "rect" } == graph.nodes.count + 1)
    }

    /// The texts of a document, which is well-formed.
    private final class Texts: XMLHandler {
        var found: [String] = []
        var elements: [String] = []
        private var open = ""

        init(of document: String) throws { try XMLParser().parse(Array(document.utf8), handler: self) }

        func startElement(_ name: XMLName, _ attributes: XMLAttributes) {
            elements.append(String(decoding: name.local, as: UTF8.self))
            open = ""
        }
        func text(_ bytes: UnsafeBufferPointer<UInt8>) { open += String(decoding: bytes, as: UTF8.self) }
        func endElement() {
            found.append(open)
            open = ""
        }
    }
}
