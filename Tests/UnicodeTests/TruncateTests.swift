// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Unicode

struct TruncateTests {
    @Test(
        "A text is cut between characters and marked",
        arguments: [
            ("hello", 5, "hello"), ("hello!", 5, "he…"), ("Привет", 12, "Привет"), ("Привет", 11, "Прив…"),
            ("Привет", 10, "При…"), ("👨‍👩‍👧a", 18, "…"), ("a👨‍👩‍👧b", 19, "a…"), ("🇷🇺🇷🇺🇷🇺", 20, "🇷🇺🇷🇺…"), ("abc", 2, "ab"),
            ("abc", 0, ""), ("", 0, ""), ("e\u{301}e\u{301}e\u{301}", 7, "e\u{301}…"), ("жжж", 1, ""),
            ("a\r\nbcdef", 6, "a\r\n…"),
        ]
    )
    func cuts(text: String, limit: Int, result: String) {
        let cut = truncate(text, toUTF8Bytes: limit)
        #expect(cut.utf8.elementsEqual(result.utf8), "\(cut)")
        #expect(cut.utf8.count <= limit)
    }

    @Test("Another mark is used where given")
    func otherMark() { #expect(truncate("hello!", toUTF8Bytes: 5, ellipsis: "...") == "he...") }

    @Test("One character of thousands of marks is left out whole")
    func zalgo() {
        let text = "a" + String(repeating: "\u{301}", count: 5000)
        #expect(truncate(text, toUTF8Bytes: 100) == "…")
    }
}

struct TrimmedTests {
    @Test(
        "Blank and invisible characters go from the ends only",
        arguments: [
            ("", ""), (" ", ""), ("id", "id"), (" id\t\r\n", "id"), ("\u{a0}id\u{feff}", "id"),
            ("\u{200b}i d\u{200d}", "i d"),
            ("\u{2060}id", "id"), ("i\u{200b}d", "i\u{200b}d"), (" é ", "é"), ("\u{a0}\u{feff} ", ""), ("ид", "ид"),
            (" \u{301}a", "\u{301}a"), ("\u{c}id\u{b}", "id"),
            ("\u{200e}id\u{200f}", "id"), ("\u{2067}id\u{2069}", "id"), ("\u{202a}id\u{202c}", "id"),
            ("\u{61c}id\u{3000}", "id"), ("\u{85}id\u{2028}", "id"), ("\u{180e}id\u{205f}", "id"),
            ("i\u{200e}d", "i\u{200e}d"), ("\u{ad}id", "\u{ad}id"),
        ]
    )
    func trims(text: String, result: String) { #expect(trimmed(text).utf8.elementsEqual(result.utf8)) }

    @Test("All of Unicode's white space goes, and the pattern for schemas removes the same")
    func whole() throws {
        let pattern = try NSRegularExpression(pattern: "\\A[^\(trimmedCharacters)]*\\z")
        for value in UInt32(1)...0xffff {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(String.UnicodeScalarView([scalar]))
            if scalar.properties.isWhitespace { #expect(trimmed(text).isEmpty, "\(value)") }
            let isKept = pattern.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
            #expect(isKept == !trimmed(text).isEmpty, "\(value)")
        }
    }

    @Test("Bytes that take more room when written count for more")
    func cost() {
        let cut = { (text: String, limit: Int) in truncate(text, toCost: limit) { $0 == UInt8(ascii: "\"") ? 2 : 1 } }
        #expect(cut("\"\"", 4) == "\"\"")
        #expect(cut("\"\"\"", 5) == "\"…")
        #expect(cut("\"\"\"", 2) == "\"")
    }
}
