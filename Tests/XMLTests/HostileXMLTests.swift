// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import XML

@Suite(.timeLimit(.minutes(1)))
struct HostileXMLTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        /// Part of the error's message.
        let message: String

        init(_ name: String, _ document: String, _ message: String = "") {
            self.init(name, Array(document.utf8), message)
        }

        init(_ name: String, _ bytes: [UInt8], _ message: String = "") {
            (self.name, self.bytes, self.message) = (name, bytes, message)
        }

        var testDescription: String { name }
    }

    static let bomb = """
        <!DOCTYPE a [<!ENTITY b "xxxxxxxxxx"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;">]>\
        <a>&d;&d;&d;</a>
        """

    static let samples: [Sample] = [
        Sample("empty", "", "empty"),
        Sample("blank", "  \n "),
        Sample("no element", "<?xml version='1.0'?><!-- x -->"),
        Sample("plain text", "hello"),
        Sample("entity bomb", bomb, "DOCTYPE"),
        Sample("DOCTYPE alone", "<!DOCTYPE a><a/>", "DOCTYPE"),
        Sample("external DTD", "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", "DOCTYPE"),
        Sample("undeclared entity", "<a>&nbsp;</a>"),
        Sample("undeclared prefix", "<p:a/>"),
        Sample("undeclared prefix of an attribute", "<a p:b='c'/>"),
        Sample("two roots", "<a/><b/>"),
        Sample("junk behind", "<a/>junk"),
        Sample("junk before", "junk<a/>"),
        Sample("blank before the declaration", "\n<?xml version='1.0'?><a/>"),
        Sample("truncated tag", "<a><b"),
        Sample("truncated text", "<a>text"),
        Sample("truncated CDATA", "<a><![CDATA[x</a>"),
        Sample("truncated comment", "<a><!-- </a>"),
        Sample("crossed tags", "<a><b></a></b>"),
        Sample("attribute twice", "<a b='1' b='2'/>"),
        Sample("attribute without quotes", "<a b=1/>"),
        Sample("less-than in an attribute", "<a b='<'/>"),
        Sample("NUL", Array("<a>x".utf8) + [0] + Array("y</a>".utf8), "UTF-8"),
        Sample("NUL in UTF-16", [0xff, 0xfe, 0x3c, 0, 0x61, 0, 0x3e, 0, 0, 0, 0x3c, 0], "NUL"),
        Sample("NUL reference", "<a>&#0;</a>"),
        Sample("control character", "<a>\u{1}</a>"),
        Sample("huge reference", "<a>&#x110000;</a>"),
        Sample("invalid UTF-8 in a tag name", Array("<a><".utf8) + [0xc3, 0x28] + Array("/></a>".utf8), "UTF-8"),
        Sample("invalid UTF-8 in text", Array("<a>".utf8) + [0xff] + Array("</a>".utf8), "UTF-8"),
        Sample("overlong UTF-8", Array("<a>".utf8) + [0xc0, 0x80] + Array("</a>".utf8), "UTF-8"),
        Sample("surrogate in UTF-8", Array("<a>".utf8) + [0xed, 0xa0, 0x80] + Array("</a>".utf8), "UTF-8"),
        Sample("cut UTF-8", Array("<a></a>".utf8) + [0xd0], "UTF-8"),
        Sample("odd UTF-16", [0xff, 0xfe, 0x3c, 0, 0x61], "UTF-16"),
        Sample("lone surrogate", [0xff, 0xfe, 0x3c, 0, 0x61, 0, 0x3e, 0, 0x00, 0xd8, 0x3c, 0], "UTF-16"),
        Sample("unknown encoding", "<?xml version='1.0' encoding='UTF-7'?><a/>", "encoding"),
        Sample("EBCDIC", [0x4c, 0x6f, 0xa7, 0x94], "UTF-8"),
        Sample("101 deep", nested(101), "deep"),
        Sample("50,000 deep", nested(50_000), "deep"),
        Sample("50,001 elements", "<a>" + String(repeating: "<b/>", count: 50_000) + "</a>", "too many elements"),
        Sample("101 attributes", tag(101), "attributes"),
        Sample("10,000 attributes", tag(10_000), "too long"),
        Sample("150,000 attributes", tag(150_000), "too long"),
        Sample("long name", "<" + String(repeating: "n", count: 257) + "/>", "name"),
        Sample("10 MB text", "<a>" + String(repeating: "t", count: 10 << 20) + "</a>", "text"),
        Sample("10 MB CDATA", "<a><![CDATA[" + String(repeating: "t", count: 10 << 20) + "]]></a>", "too long"),
        Sample("10 MB comment", "<a><!--" + String(repeating: "t", count: 10 << 20) + "--></a>", "too long"),
        Sample("10 MB attribute", "<a b='" + String(repeating: "t", count: 10 << 20) + "'/>", "too long"),
    ]

    private static func nested(_ depth: Int) -> String {
        String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }

    private static func tag(_ attributes: Int) -> String {
        "<a" + (0..<attributes).map { " a\($0)=''" }.joined() + "/>"
    }

    @Test("Hostile documents are refused", arguments: samples)
    func refused(sample: Sample) throws {
        let parser = XMLParser()
        let error = #expect(throws: XMLError.self) { try parser.events(of: sample.bytes) }
        #expect(error?.message.contains(sample.message) == true || sample.message.isEmpty)
        // The context is as good as new.
        #expect(try parser.events(of: Array("<a>1</a>".utf8)) == "(a 1)")
    }

    @Test(
        "What is just within the limits passes",
        arguments: [
            Sample("100 deep", nested(100)), Sample("100 attributes", tag(100)),
            Sample("50,000 elements", "<a>" + String(repeating: "<b/>", count: 49_999) + "</a>"),
            Sample("long name", "<" + String(repeating: "n", count: 256) + "/>"),
            Sample("long text", "<a>" + String(repeating: "t", count: 256 << 10) + "</a>"),
            Sample("many texts", "<a>" + String(repeating: "<b c='d'>text</b>", count: 40_000) + "</a>"),
        ]
    )
    func withinLimits(sample: Sample) throws {
        _ = try XMLParser().events(of: sample.bytes)
    }

    @Test func damagedDocumentsNeverCrash() throws {
        let parser = XMLParser()
        let seed = Array(
            "<?xml version='1.0'?><p:a xmlns:p='urn:q' b='c'><![CDATA[x]]>&amp;<!-- y --><d>щ</d></p:a>".utf8
        )
        var random = SeededGenerator(state: 42)
        var passed = 0
        for _ in 0..<20_000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(seed.randomElement(using: &random) ?? 0, at: index)
                }
            }
            if (try? parser.events(of: bytes)) != nil { passed += 1 }
        }
        #expect(passed > 0 && passed < 20_000)
    }

    @Test func memoryStaysFlatOverTenThousandHostileDocuments() throws {
        let parser = XMLParser()
        func round(_ number: Int) {
            // Names that no other document has: a context remembers them all.
            let names = (0..<100).map { "<n\(number)x\($0)/>" }.joined()
            _ = try? parser.events(of: Array("<a>\(names)".utf8))
            _ = try? parser.events(of: Array(Self.bomb.utf8))
            _ = try? parser.events(of: Array(Self.nested(120).utf8))
        }
        for number in 0..<1000 { round(number) }
        // Other tests in this process take memory for a while: a leak shows in every window, they do not.
        var growths: [Int] = []
        for window in 1...8 {
            let before = try residentBytes()
            for number in (window * 1000)..<(window * 1000 + 1000) { round(number) }
            growths.append(try residentBytes() - before)
            if growths.count(where: { $0 < 1 << 20 }) >= 2 { return }
        }
        Issue.record("memory grew by \(growths) bytes")
    }

    private func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 4096
    }
}
