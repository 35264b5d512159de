// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

struct JSONWriterTests {
    @Test("Commas, keys and values come out as one text")
    func whole() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("aps")
        writer.beginObject()
        writer.key("badge")
        writer.integer(0)
        writer.key("list")
        writer.beginArray()
        for number in [1, -20, Int.max] { writer.integer(number) }
        writer.number(1.5)
        writer.number(.infinity)
        writer.bool(true)
        writer.null()
        writer.raw(Array("{}".utf8))
        writer.string(static: "x")
        writer.endArray()
        writer.key("empty")
        writer.beginObject()
        writer.endObject()
        writer.endObject()
        writer.key(text: "a\"b")
        writer.string("é")
        writer.endObject()
        #expect(
            writer.text
                == #"{"aps":{"badge":0,"list":[1,-20,9223372036854775807,1.5,null,true,null,{},"x"],"empty":{}},"a\"b":"é"}"#
        )
        writer.removeAll()
        writer.integer(Int64.min)
        #expect(writer.text == "-9223372036854775808")
    }

    @Test(
        "Only what must be is escaped",
        arguments: [
            ("", #""""#), ("a\"b\\c/d", #""a\"b\\c/d""#), ("\n\r\t", #""\n\r\t""#),
            ("\u{0}\u{1}\u{1f}\u{7f}", "\"\\u0000\\u0001\\u001f\u{7f}\""),
            ("Привет 😀\u{2028}", "\"Привет 😀\u{2028}\""), ("\"", #""\"""#), ("\u{b}", #""\u000b""#),
        ]
    )
    func escapes(text: String, json: String) {
        var writer = JSONWriter()
        writer.string(text)
        #expect(writer.text == json)
    }
}

struct JSONFieldsTests {
    @Test("The room a text takes is known before it is written", arguments: 0..<256)
    func escapedLength(value: UInt32) throws {
        let text = String(try #require(Unicode.Scalar(value)))
        var writer = JSONWriter()
        writer.string(text)
        #expect(JSONWriter.escapedLength(of: text) == writer.bytes.count - 2)
    }

    @Test("Every problem is told with its path")
    func problems() throws {
        let text =
            #"{"id":5,"n":99,"big":1.5,"sub":{"flag":"yes","tags":[{"key":"a"},{},7]},"names":["a",1],"odd":1,"none":null}"#
        var fields = JSONFields(try JSONValue(parsing: text))
        #expect(fields.string("id", required: true) == nil)
        #expect(fields.integer("n", in: 0...10) == nil)
        #expect(fields.integer("big") == nil)
        let keys = fields.object("sub") { sub -> [String?]? in
            _ = sub.bool("flag")
            return sub.objects("tags") { $0.string("key", required: true) }
        }
        #expect(keys == ["a", nil, nil])
        #expect(fields.strings("names") == ["a"])
        #expect(fields.string("none") == nil)
        #expect(fields.string("absent", required: true) == nil)
        fields.refuseUnknown()
        #expect(
            fields.problems.map { "\($0.path) \($0.message)" } == [
                "id must be a string, not a number", "n must be 0 to 10", "big must be a whole number, not a fraction",
                "sub.flag must be true or false, not a string", "sub.tags[1].key is missing",
                "sub.tags[2] must be an object, not a number",
                "names[1] must be a string, not a number", "absent is missing", "odd is not known here",
            ]
        )
    }

    @Test func whatIsNoObjectIsOneProblem() {
        #expect(JSONFields(.array([])).problems.map(\.message) == ["must be an object, not a list"])
    }
}
