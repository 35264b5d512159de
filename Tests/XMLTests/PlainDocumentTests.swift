// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import XML

/// Whatever is read without libxml2, libxml2 reads with the same events.
struct PlainDocumentTests {
    private static let envelope = """
        <?xml version="1.0" encoding="UTF-8"?>
        <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:in='urn:a:b/c'><s:Header/>
        <s:Body ><in:send><notification xmlns="https://bank.example/n"><text>Платёж &lt;1&gt; &amp; &quot;2&apos;</text>
        <id>a-b</id\t><q xmlns="urn:x"><r/></q><t></t></notification></in:send></s:Body></s:Envelope>

        """

    private static let plain = [
        envelope, "<a/>", "<a>x<b>y</b>z</a>", "<_a-1.b >\n</_a-1.b>", "<a xmlns:p='http://h/x'><p:b/></a>",
        "<p:a xmlns:p='urn:q'><p:a xmlns:p='urn:r'/><p:c/></p:a>", "<a>\u{7f}\u{80}\u{fffd}\u{10ffff}></a>",
        "<?xml version='1.0' encoding='UTF-8'?><a xmlns='http://h'/>\n\n", "<a>1&amp;&amp;2</a>",
    ]

    private static let foreign = [
        "", "a", "<a", "<a>", "<a>b", "<a></b>", "<a/><b/>", "<a/>x", "<a b='c'/>", "<a><!-- c --></a>",
        "<a><![CDATA[x]]></a>", "<!DOCTYPE a><a/>", "<?p?><a/>", "<a>\r\n</a>", "<a>&#65;</a>", "<a>&x;</a>",
        "<a>]]></a>", "<a>\u{ffff}</a>", "<a>\u{1}</a>", "<ä/>", "<a xmlns:p='urn:q' xmlns:p='urn:r'/>",
        "<a xmlns:p=''/>", "<a xmlns=''/>", "<p:a/>", "<xml:a/>",
        "<a xmlns:xml='http://www.w3.org/XML/1998/namespace'/>",
        "<a xmlns:q='http://www.w3.org/2000/xmlns/'/>", "<a:b:c xmlns:a='urn:q'/>", "<a xmlns='no uri'/>",
        "<a xmlns='http://h:x/'/>", "<a xmlns='urn:q'xmlns:p='urn:r'/>", "<a xmlns='urn:q\"/>", "<a></a", "<a></a x>",
        "</a>", "<a/ >", "< a/>", "<a><b></a></b>", "<1/>", "<a xmlns:1='urn:q'/>", "<a>&amp</a>",
    ]

    private func plainEvents(_ bytes: [UInt8]) throws -> String? {
        try bytes.withUnsafeBufferPointer { bytes in
            var document = PlainDocument(limits: XMLLimits())
            guard document.read(bytes) else { return nil }
            let recorder = Recorder()
            try document.replay(bytes, to: recorder)
            return recorder.events
        }
    }

    private func events(_ bytes: [UInt8]) throws -> String {
        let recorder = Recorder()
        let context = try #require(XMLContext(limits: XMLLimits()))
        try bytes.withUnsafeBufferPointer { try context.parse($0, recorder) }
        return recorder.events
    }

    @Test("Plain documents", arguments: plain)
    func isReadAlike(document: String) throws {
        let bytes = Array(document.utf8)
        #expect(try plainEvents(bytes) == events(bytes))
    }

    @Test("What is left to libxml2", arguments: foreign)
    func isLeft(document: String) throws {
        #expect(try plainEvents(Array(document.utf8)) == nil)
    }

    @Test("Beyond a limit, libxml2 says which")
    func beyondLimitsIsLeft() throws {
        var limits = XMLLimits()
        (limits.depth, limits.elements, limits.name, limits.text, limits.attributes) = (2, 3, 4, 5, 1)
        let beyond = [
            "<a><b><c/></b></a>", "<a><b/><b/><b/></a>", "<abcde/>", "<a>123456</a>", "<a>12345&amp;</a>",
            "<a xmlns='urn:a' xmlns:p='urn:b'/>",
        ]
        for text in beyond {
            var document = PlainDocument(limits: limits)
            #expect(!Array(text.utf8).withUnsafeBufferPointer { document.read($0) }, "\(text)")
        }
        var document = PlainDocument(limits: limits)
        let within = Array("<abcd xmlns='urn:a'><b>12345</b><b>1</b></abcd>".utf8)
        let isRead = within.withUnsafeBufferPointer { document.read($0) }
        #expect(isRead)
    }

    @Test func damagedDocumentsAreReadAlikeOrLeft() throws {
        var random = SeededGenerator(state: 7)
        let pieces = Array("<>/&;:=\"' \n\t]abxmlns-_.\r\u{0}".utf8) + [0xd0, 0x9f, 0xef, 0xbf, 0xbe]
        var taken = 0
        for round in 0..<60_000 {
            var bytes = Array(Self.plain[round % Self.plain.count].utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                let piece = pieces.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = piece
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(piece, at: index)
                default: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 9)], at: index)
                }
            }
            guard isValidUTF8(bytes), let found = try plainEvents(bytes) else { continue }
            taken += 1
            #expect(try found == events(bytes), "\(String(decoding: bytes, as: UTF8.self))")
        }
        // Enough of them, for the comparison to mean something.
        #expect(taken > 3_000)
    }

    private func isValidUTF8(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBufferPointer { XML.isValidUTF8($0) } }
}
