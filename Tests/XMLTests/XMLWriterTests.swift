// SPDX-License-Identifier: Apache-2.0

import Testing
import XML

struct XMLWriterTests {
    @Test(
        "Text is escaped, and what XML cannot hold is replaced",
        arguments: [
            ("plain щ 😀", "plain щ 😀"), ("<a&b>\"", "&lt;a&amp;b&gt;&quot;"), ("\t\n\r", "\t\n&#13;"),
            ("a\u{0}b\u{1f}\u{8}", "a\u{fffd}b\u{fffd}\u{fffd}"), ("\u{fffe}x\u{ffff}", "\u{fffd}x\u{fffd}"),
            ("\u{fffd}\u{efff}", "\u{fffd}\u{efff}"), ("", ""),
        ]
    )
    func text(text: String, written: String) {
        var writer = XMLWriter()
        writer.text(text)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == written)
    }

    @Test func whatIsWrittenIsReadBack() throws {
        var writer = XMLWriter()
        let text = "<&>\r\n\t\"' щ😀"
        writer.element("a", text)
        #expect(try XMLParser().events(of: writer.bytes) == "(a \(text))")
    }
}
