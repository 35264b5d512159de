// SPDX-License-Identifier: Apache-2.0

import CJansson

extension JSONValue {
    /// Parses one JSON text strictly (RFC 8259) and within limits.
    ///
    /// Refused besides bad syntax: duplicate keys, invalid UTF-8, lone surrogates, `\u0000` (no id, name or text here
    /// may hold it, and much software downstream would cut there), integers beyond 64 bits, numbers beyond a double,
    /// and anything after the value.
    ///
    /// - Throws: ``JSONError`` with the place.
    public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
        self = try Self.bounded(bytes, limits)
    }

    /// Parses the UTF-8 of a text, as ``init(parsing:limits:)-([UInt8],_)`` does.
    ///
    /// - Throws: ``JSONError`` with the place.
    public init(parsing text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        self = try Self.bounded(Array(text.utf8), limits)
    }

    private static func bounded(_ bytes: [UInt8], _ limits: JSONLimits) throws(JSONError) -> JSONValue {
        let result = bytes.withUnsafeBufferPointer { text -> Result<JSONValue, JSONError> in
            do throws(JSONError) {
                try limits.check(text)
                return .success(try Self.parse(text))
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    private static func parse(_ text: UnsafeBufferPointer<UInt8>) throws(JSONError) -> JSONValue {
        var problem = json_error_t()
        let flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY
        let root = text.withMemoryRebound(to: CChar.self) { json_loadb($0.baseAddress, $0.count, Int(flags), &problem) }
        guard let root else { throw JSONError(problem, in: text) }
        defer { json_decref(root) }
        return value(root)
    }

    /// Copies what jansson built; the depth was bounded before.
    private static func value(_ node: UnsafeMutablePointer<json_t>) -> JSONValue {
        switch node.pointee.type {
        case JSON_OBJECT: return .object(object(node))
        case JSON_ARRAY:
            return .array((0..<json_array_size(node)).compactMap { json_array_get(node, $0).map(value) })
        case JSON_STRING: return .string(text(json_string_value(node), json_string_length(node)))
        case JSON_INTEGER: return .integer(Int64(json_integer_value(node)))
        case JSON_REAL: return .number(json_real_value(node))
        case JSON_TRUE: return .bool(true)
        case JSON_FALSE: return .bool(false)
        default: return .null
        }
    }

    private static func object(_ node: UnsafeMutablePointer<json_t>) -> JSONObject {
        var members: [JSONObject.Member] = []
        members.reserveCapacity(json_object_size(node))
        var place = json_object_iter(node)
        while let current = place {
            if let item = json_object_iter_value(current) {
                let key = text(json_object_iter_key(current), json_object_iter_key_len(current))
                members.append(JSONObject.Member(key, value(item)))
            }
            place = json_object_iter_next(node, current)
        }
        return JSONObject(members)
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    }
}

extension JSONError {
    /// Jansson's error without the part of the text that it quotes.
    fileprivate init(_ problem: json_error_t, in text: UnsafeBufferPointer<UInt8>) {
        var problem = problem
        let message =
            switch json_error_code(&problem) {
            case json_error_premature_end_of_input: text.isEmpty ? "the text is empty" : "the text ends too early"
            case json_error_end_of_input_expected: "something follows after the value"
            case json_error_invalid_utf8: "not valid UTF-8"
            case json_error_null_character, json_error_null_byte_in_key: "\\u0000 is not allowed"
            case json_error_duplicate_key: "a key occurs twice in one object"
            case json_error_numeric_overflow: "a number is too large"
            default: "not valid JSON"
            }
        self.init(message: message, at: min(max(0, Int(problem.position)), text.count), in: text)
    }
}
