// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing
import XML

@Suite("Documents in other encodings than UTF-8")
struct EncodingTests {
    let parser = XMLParser()

    /// What iconv makes of a text, so that the tests need no tables of their own.
    static func encoded(_ text: String, _ name: String) -> [UInt8]? {
        guard let handle = iconv_open(name, "UTF-8"), Int(bitPattern: handle) != -1 else { return nil }
        defer { iconv_close(handle) }
        var input = Array(text.utf8).map { CChar(bitPattern: $0) }
        var output = [CChar](repeating: 0, count: input.count * 8 + 16)
        var written = 0
        let isDone = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                var (source, target) = (input.baseAddress, output.baseAddress)
                var (left, free) = (input.count, output.count)
                guard iconv(handle, &source, &left, &target, &free) == 0 else { return false }
                guard iconv(handle, nil, nil, &target, &free) == 0 else { return false }
                written = output.count - free
                return true
            }
        }
        return isDone ? output.prefix(written).map { UInt8(bitPattern: $0) } : nil
    }

    static let sets: [(String, String)] = [
        ("ISO-8859-1", "Grüße, café"), ("iso-8859-15", "Grüße für 5 €"), ("ISO-8859-2", "Łódź, žluťoučký kůň"),
        ("ISO-8859-5", "Остаток ещё"), ("latin1", "Grüße"), ("windows-1250", "Łódź – žluť"),
        ("windows-1251", "Остаток ещё № 1"), ("Windows-1252", "“Grüße” – 5 €"), ("win-1251", "Ещё № 1"),
        ("cp-1251", "Ещё № 1"), ("x-cp1251", "Ещё № 1"), ("KOI8-R", "Остаток ещё"), ("latin-1", "Grüße"),
        ("koi8_r", "Остаток"), ("utf_16_le", "Ещё"), ("koi8-u", "Її Ґанок ще"),
        ("koi8r", "Остаток"), ("cp866", "Остаток ещё тел"), ("IBM866", "Чек раб сад"), ("dos-866", "Ёлка"),
        ("IBM855", "Остаток"), ("x-mac-cyrillic", "Остаток"), ("macintosh", "Grüße"), ("Shift_JIS", "残高は五円"),
        ("EUC-JP", "残高は五円"), ("ISO-2022-JP", "残高は五円"), ("GB18030", "余额 5 €"), ("Big5", "餘額"),
        ("EUC-KR", "잔액"), ("windows-1256", "الرصيد"), ("ISO-8859-8", "יתרה"), ("TIS-620", "ยอดเงิน"),
        ("ARMSCII-8", "մնացորդ"), ("IBM037", "Grüße"), ("UTF-16LE", "Остаток 😀"), ("UTF-16BE", "Остаток 😀"),
        ("UCS-2LE", "Остаток"), ("UTF-32LE", "Остаток 😀"), ("UTF-32BE", "Остаток 😀"), ("UCS-4", "Остаток 😀"),
        ("UCS-4LE", "Остаток 😀"),
    ]

    /// The name by which iconv knows it.
    private static func known(_ name: String) -> String {
        let names = [
            "win-1251": "CP1251", "cp-1251": "CP1251", "x-cp1251": "CP1251", "koi8r": "KOI8-R", "koi8_r": "KOI8-R",
            "latin-1": "ISO-8859-1", "utf_16_le": "UTF-16LE", "dos-866": "CP866",
            "x-mac-cyrillic": "MAC-CYRILLIC",
        ]
        return names[name] ?? name
    }

    @Test("are read by the name that the transport gives", arguments: sets)
    func byCharset(name: String, text: String) throws {
        let bytes = try #require(Self.encoded("<a>\(text)</a>", Self.known(name)))
        #expect(try parser.events(of: bytes, charset: name) == "(a \(text))")
    }

    @Test("are read by the name in their declaration", arguments: sets)
    func byDeclaration(name: String, text: String) throws {
        let document = "<?xml version='1.0' encoding='\(name)'?><a>\(text)</a>"
        let bytes = try #require(Self.encoded(document, Self.known(name)))
        #expect(try parser.events(of: bytes) == "(a \(text))")
    }

    @Test(
        "with wide characters are known by their mark or their first bytes",
        arguments: ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"],
        ["", "\u{feff}"]
    )
    func wide(name: String, mark: String) throws {
        let bytes = try #require(Self.encoded(mark + "<a>Ещё 😀</a>", name))
        #expect(try parser.events(of: bytes) == "(a Ещё 😀)")
        let family = name.hasPrefix("UTF-16") ? "utf-16" : "ucs-4"
        #expect(try parser.events(of: bytes, charset: family) == "(a Ещё 😀)")
    }

    @Test("every set that iconv knows is read, where XML can be written in it")
    func everySet() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/iconv")
        process.arguments = ["-l"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let list = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let names = list.split { $0.isWhitespace || $0 == "," }.map { String($0).replacing("//", with: "") }
        var read = 0
        for name in names where !name.contains("/") && !name.uppercased().contains("UTF7") && !name.contains("UTF-7") {
            guard let bytes = Self.encoded("<a b='c'>x&amp;1</a>", name) else { continue }
            let events = try? parser.events(of: bytes, charset: name)
            #expect(events == "(a x&1)", "\(name)")
            read += 1
        }
        #expect(read > 800)
    }

    @Test(
        "that are not what they are said to be are refused with words",
        arguments: [
            ("<?xml version='1.0' encoding='x-klingon'?><a/>", nil, "the encoding x-klingon is not known; use UTF-8"),
            ("<a/>", "utf-7", "the encoding utf-7 is not known; use UTF-8"),
            ("<a/>", "UTF-8//TRANSLIT", "the encoding UTF-8TRANSLIT is not known; use UTF-8"),
            ("<a/>", "../../etc/x", "the encoding ....etcx is not known; use UTF-8"),
            ("<a/>", "\u{1}", "the encoding that was named is not known; use UTF-8"),
            (
                "<?xml version='1.0' encoding='windows-1251'?><a>Ещё</a>", nil,
                "the document is said to be in windows-1251, but its bytes are UTF-8; say which it is"
            ),
            (
                "<a>é</a>", "iso-8859-1",
                "the document is said to be in iso-8859-1, but its bytes are UTF-8; say which it is"
            ),
            (
                "<?xml version='1.0' encoding='cp866'?><a>«ещё» – 😀</a>", nil,
                "the document is said to be in cp866, but its bytes are UTF-8; say which it is"
            ),
            ("<a>☃</a>", "EUC-JP", "the document is not valid EUC-JP"),
            ("<a>é</a>", "UTF-16", "the document is not valid UTF-16"),
        ] as [(String, String?, String)]
    )
    func refused(document: String, charset: String?, message: String) {
        let error = #expect(throws: XMLError.self) { try parser.events(of: Array(document.utf8), charset: charset) }
        #expect(error?.message == message)
    }

    @Test("a document that says UTF-16 in single bytes is what it can be: UTF-8", arguments: ["utf-16", "UCS-4"])
    func impossibleDeclaration(name: String) throws {
        let document = "<?xml version=\"1.0\" encoding=\"\(name)\"?><a>Ещё</a>"
        #expect(try parser.events(of: Array(document.utf8)) == "(a Ещё)")
    }

    @Test("of two words the document's counts where the transport's is certainly wrong, if that is wanted")
    func trustedDeclaration() throws {
        let trusting = XMLParser(trustsDeclaration: true)
        let koi8 = try #require(Self.encoded("<?xml version='1.0' encoding='koi8-r'?><a>Ещё</a>", "KOI8-R"))
        #expect(try trusting.events(of: koi8, charset: "utf-8") == "(a Ещё)")
        #expect(throws: XMLError.self) { try parser.events(of: koi8, charset: "utf-8") }
        let utf8 = Array("<?xml version='1.0' encoding='UTF-8'?><a>Ещё</a>".utf8)
        #expect(try trusting.events(of: utf8, charset: "windows-1251") == "(a Ещё)")
        #expect(throws: XMLError.self) { try parser.events(of: utf8, charset: "windows-1251") }
    }

    @Test(
        "blanks and marks before a declaration are passed over where that is wanted",
        arguments: ["\n", " \r\n\t", "\u{feff}", "\u{feff}\n", "\n\u{feff}", "\u{feff}\u{feff}"]
    )
    func leadingBlanks(blank: String) throws {
        let document = Array("\(blank)<?xml version='1.0'?><a>Ещё</a>".utf8)
        #expect(try XMLParser(skipsLeadingBlanks: true).events(of: document) == "(a Ещё)")
        if blank != "\u{feff}" { #expect(throws: XMLError.self) { try parser.events(of: document) } }
    }
}
