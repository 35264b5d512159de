// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import XML

struct XMLParserTests {
    let parser = XMLParser()

    @Test(
        "Documents and their events",
        arguments: [
            ("<a/>", "(a )"),
            ("<a b='c'>x<b>y</b>z</a>", "(a x(b y)z)"),
            ("<p:a xmlns:p='urn:q' p:a='1'/>", "({urn:q}a[q 1] )"),
            ("<a xmlns='urn:d' a='v&amp;&#65;'><b xmlns=''/></a>", "({urn:d}a[v&A] (b ))"),
            ("<a>&lt;&gt;&amp;&quot;&apos;&#1055;</a>", "(a <>&\"'П)"),
            ("<a><![CDATA[<b>&amp;</b>]]>!</a>", "(a <b>&amp;</b>!)"),
            ("<?xml version='1.0'?><!-- c --><?pi x?><a><!-- b -->1<?pi?>2</a><!-- d -->\n", "(a 12)"),
            ("<a>\r\n&#13;</a>", "(a \n\r)"),
            ("\u{feff}<a>щ</a>", "(a щ)"),
        ]
    )
    func events(document: String, events: String) throws {
        #expect(try parser.events(of: Array(document.utf8)) == events)
    }

    @Test(
        "Encodings: the mark counts most, then the transport's word, then the declaration",
        arguments: [
            (String.Encoding.windowsCP1251, "<?xml version='1.0' encoding='windows-1251'?><a>Ёж №€</a>", nil),
            (.windowsCP1251, "<a>Ёж №€</a>", "windows-1251"),
            (.windowsCP1251, "<?xml version='1.0' encoding='UTF-8'?><a>Ёж №€</a>", "CP1251"),
            (.utf8, "<?xml version='1.0' encoding='windows-1251'?><a>Ёж №€</a>", "utf-8"),
            (.utf8, "<?xml version=\"1.0\" encoding=\"utf-8\" standalone='yes'?><a>Ёж №€</a>", nil),
            (.utf16, "<?xml version='1.0' encoding='UTF-16'?><a>Ёж №€</a>", nil),
            (.utf16LittleEndian, "<a>Ёж №€</a>", nil),
            (.utf16BigEndian, "<a>Ёж №€</a>", nil),
            (.utf16BigEndian, "<a>Ёж №€</a>", "UTF-16BE"),
            (.utf16, "<a>Ёж №€</a>", "utf-16"), (.utf16BigEndian, "<a>Ёж №€</a>", "utf-16"),
            (.utf16, "<a>Ёж №€</a>", "utf-8"),
        ] as [(String.Encoding, String, String?)]
    )
    func encodings(encoding: String.Encoding, document: String, charset: String?) throws {
        let bytes = try #require(document.data(using: encoding))
        #expect(try parser.events(of: Array(bytes), charset: charset) == "(a Ёж №€)")
    }

    @Test func everyByteOfWindows1251IsRead() throws {
        let bytes = (UInt8(0x80)...0xff).filter { $0 != 0x98 }
        let document = Array("<?xml version='1.0' encoding='windows-1251'?><a>".utf8) + bytes + Array("</a>".utf8)
        let expected = try #require(String(data: Data(bytes), encoding: .windowsCP1251))
        #expect(try parser.events(of: document) == "(a \(expected))")
    }

    @Test func anErrorSaysWhere() {
        let error = #expect(throws: XMLError.self) { try parser.events(of: Array("<a>\n <b></c>\n</a>".utf8)) }
        #expect(error?.description.hasPrefix("2:") == true)
    }

    @Test func whatTheHandlerThrowsComesOut() {
        struct Refused: Error {}
        final class Refuser: XMLHandler {
            var calls = 0
            func startElement(_ name: XMLName, _ attributes: XMLAttributes) throws { calls += 1 }
            func text(_ bytes: UnsafeBufferPointer<UInt8>) throws { throw Refused() }
            func endElement() throws { calls += 1 }
        }
        let refuser = Refuser()
        #expect(throws: Refused.self) { try parser.parse(Array("<a>x<b/><c/></a>".utf8), handler: refuser) }
        #expect(refuser.calls == 1)
    }

    @Test func aParserIsSharedByManyTasks() async throws {
        let events = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<3000 {
                group.addTask { [parser] in try parser.events(of: Array("<a><b>\(number)</b></a>".utf8)) }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(events == Set((0..<3000).map { "(a (b \($0)))" }))
    }
}
