// SPDX-License-Identifier: Apache-2.0

import Testing
import Unicode

struct CaseFoldTests {
    @Test(
        "Spellings that differ only in case or composition fold alike",
        arguments: [
            ("Ivanov", "ivanov"), ("ИВАНОВ", "иванов"), ("Ёжик", "ёжик"), ("Straße", "STRASSE"), ("ẞ", "ss"),
            ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("ς", "σ"), ("É", "e\u{301}"), ("Й", "и\u{306}"), ("Å", "a\u{30a}"), ("ﬁ", "FI"),
            ("İ", "i\u{307}"), ("ǅ", "ǆ"), ("Կ", "կ"), ("\u{1f80}", "α\u{345}\u{313}"), ("K", "k"), ("ŉ", "ʼn"),
        ]
    )
    func alike(left: String, right: String) {
        #expect(Array(caseFold(left).utf8) == Array(caseFold(right).utf8))
    }

    @Test(
        "Different letters stay different",
        arguments: [("ı", "i"), ("и", "й"), ("e", "é"), ("а", "a"), ("ő", "ö"), ("user1", "user2"), ("1", "¹")]
    )
    func apart(left: String, right: String) { #expect(caseFold(left) != caseFold(right)) }

    @Test(
        "The folded text is this and stays this, for it is stored",
        arguments: [
            ("", ""), ("User-42@Bank.RU", "user-42@bank.ru"), ("Straße", "strasse"), ("ЩЁЛК", "щёлк"),
            ("İ", "i\u{307}"),
            ("e\u{301}", "\u{e9}"), ("\u{1f80}", "\u{1f00}\u{3b9}"), ("[\\]^_`{|}~@", "[\\]^_`{|}~@"), ("👨‍👩‍👧", "👨‍👩‍👧"),
        ]
    )
    func stable(text: String, folded: String) { #expect(Array(caseFold(text).utf8) == Array(folded.utf8)) }

    @Test("Folding a folded text changes nothing, for every character")
    func idempotent() {
        var changed: [UInt32] = []
        for value in UInt32(0)...0x10ffff {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let folded = caseFold(String(scalar))
            if !caseFold(folded).utf8.elementsEqual(folded.utf8) { changed.append(value) }
        }
        #expect(changed.isEmpty)
    }

    @Test("ASCII folds like the rest, with and without its fast path")
    func fastPath() {
        for byte in UInt8(0)..<0x80 {
            let letter = String(Unicode.Scalar(byte))
            #expect(caseFold(letter + "ж") == caseFold(letter) + "ж")
        }
    }

    @Test("A zero byte ends nothing")
    func zero() {
        #expect(caseFold("A\0Б").utf8.elementsEqual("a\0б".utf8))
    }
}
