// SPDX-License-Identifier: Apache-2.0

import CSV
import Testing

@Suite("Comma-separated values")
struct CSVTests {
    @Test(
        "records are read as RFC 4180 describes them",
        arguments: [
            ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
            ("a,b\n\nc,d", [["a", "b"], ["c", "d"]]),
            ("\"a,1\",\"say \"\"hi\"\"\"\n", [["a,1", "say \"hi\""]]),
            ("\"two\nlines\",x\ny,z", [["two\nlines", "x"], ["y", "z"]]),
            ("\u{feff}имя,\n", [["имя", ""]]),
            ("", []),
        ]
    )
    func records(text: String, rows: [[String]]) throws {
        #expect(try CSV.parse(Array(text.utf8)).map(\.fields) == rows)
    }

    @Test("lines are counted through quoted line breaks")
    func lines() throws {
        #expect(try CSV.parse(Array("\"a\nb\"\nc\n".utf8)).map(\.line) == [1, 3])
    }

    @Test(
        "what is no CSV is said with its line",
        arguments: [
            ("a\nb\"c\n", 2, "has a quote inside a field that does not begin with one"),
            ("a\n\"b", 2, "has a quote that is never closed"),
            ("\"a\"b", 1, "goes on after a field's closing quote"),
        ]
    )
    func faults(text: String, line: Int, message: String) {
        let error = #expect(throws: CSV.ParseError.self) { try CSV.parse(Array(text.utf8)) }
        #expect(error == CSV.ParseError(line: line, message: message))
    }

    @Test("bytes that are not UTF-8 are refused")
    func bytes() {
        #expect(throws: CSV.ParseError.self) { try CSV.parse([0x61, 0xff, 0x0a]) }
    }
}
