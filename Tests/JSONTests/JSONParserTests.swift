// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

struct JSONParserTests {
    @Test("Values of all kinds are read, members in their order")
    func kinds() throws {
        let value = try JSONValue(
            parsing: #" {"b":[1,-2,3.5,1e2,true,false,null,"x"],"a":{"é":"\u00e9\n\ud83d\ude00"}} "#
        )
        #expect(value.object?.members.map(\.key) == ["b", "a"])
        let list: [JSONValue] = [
            .integer(1), .integer(-2), .number(3.5), .number(100), .bool(true), .bool(false), .null, .string("x"),
        ]
        #expect(value["b"] == .array(list))
        #expect(value["a"]?["é"]?.string == "é\n😀")
        #expect(value["none"] == nil)
        #expect(value["b"]?["x"] == nil)
    }

    @Test(
        "A value alone is a text",
        arguments: [
            ("1", JSONValue.integer(1)), ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)),
            ("\"\"", .string("")), ("null", .null), ("[]", .array([])), ("{}", .object(JSONObject([]))),
            ("\t\r\n -0.0", .number(-0.0)),
        ]
    )
    func alone(text: String, value: JSONValue) throws { #expect(try JSONValue(parsing: text) == value) }

    @Test(
        "Bad texts are refused at their place",
        arguments: [
            ("", "1:1: the text is empty"), ("{", "1:2: the text ends too early"), ("[1,]", "1:5: not valid JSON"),
            (#"{"a":1,"a":2}"#, "1:12: a key occurs twice in one object"),
            (#"{"a":1,"\u0061":2}"#, "1:17: a key occurs twice in one object"),
            ("[\n 1 2]", "2:5: not valid JSON"), ("1 2", "1:4: something follows after the value"),
            ("{} x", "1:5: something follows after the value"), ("nul", "1:4: not valid JSON"),
            ("'a'", "1:2: not valid JSON"),
            (#""\ud800""#, "1:9: not valid JSON"), (#""\udc00""#, "1:9: not valid JSON"),
            (#""\ud800\u0041""#, "1:15: not valid JSON"), (#""a\u0000b""#, "1:11: \\u0000 is not allowed"),
            (#"{"a\u0000b":1}"#, "1:12: \\u0000 is not allowed"), (#""\x41""#, "1:4: not valid JSON"),
            ("01", "1:3: not valid JSON"), ("+1", "1:2: not valid JSON"), (".5", "1:2: not valid JSON"),
            ("NaN", "1:4: not valid JSON"), ("9223372036854775808", "1:20: a number is too large"),
            ("1e400", "1:6: a number is too large"), ("\"a\nb\"", "1:3: not valid JSON"),
            ("\u{feff}{}", "1:2: not valid JSON"),
            ("[1] // no", "1:6: something follows after the value"), ("{a:1}", "1:3: not valid JSON"),
        ]
    )
    func refused(text: String, message: String) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(
            error?.description.drop { $0 != " " } == message.drop { $0 != " " },
            "\(text): \(String(describing: error))"
        )
        #expect((error?.position ?? -1) <= text.utf8.count)
    }

    @Test(
        "Bytes that are no UTF-8 are refused",
        arguments: [
            [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80],
            [0xf0, 0x9f, 0x98],
        ] as [[UInt8]]
    )
    func invalidUTF8(bytes: [UInt8]) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22] + bytes + [0x22]) }
        #expect(error?.message == "not valid UTF-8")
        #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    }

    @Test("A zero byte never cuts a text short")
    func zeroByte() {
        for text in ["{}\0", "\0{}", "\"a\0b\"", "[1\0]"] {
            #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        }
    }

    @Test("Depth, size and count are bounded, with the place")
    func limits() throws {
        let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        #expect(throws: JSONError.self) { try JSONValue(parsing: deep) }
        let error = #expect(throws: JSONError.self) {
            try JSONValue(parsing: "{\"a\":\n[[1]]}", limits: JSONLimits(depth: 2))
        }
        #expect(error?.description == "2:2: nested deeper than 2 levels")
        _ = try JSONValue(parsing: "{\"a\":[\"[[[[\\\"[\"]}", limits: JSONLimits(depth: 2))
        #expect(throws: JSONError.self) { try JSONValue(parsing: "[1,2]", limits: JSONLimits(bytes: 4)) }
        _ = try JSONValue(parsing: "[1,2]", limits: JSONLimits(bytes: 5))
        #expect(throws: JSONError.self) { try JSONValue(parsing: "[1,2,3]", limits: JSONLimits(values: 3)) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "[", count: 1_000_000)) }
        #expect(throws: JSONError.self) {
            try JSONValue(parsing: "[" + String(repeating: "[],", count: 300_000) + "1]")
        }
    }

    @Test("No error quotes the text")
    func silent() {
        for text in [
            #"{"pin":"4711"x}"#, #"{"pin4711":1,"pin4711":2}"#, "4711 4711", "4711x", #""4711\u0000""#, "\"4711",
        ] {
            let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
            #expect(error?.description.contains("4711") == false)
        }
    }
}
