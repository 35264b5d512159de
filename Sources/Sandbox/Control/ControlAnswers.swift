// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON

/// How the control interface answers.
extension HTTPResponse {
    /// An object with the members that `body` writes.
    static func object(_ body: (inout JSONWriter) -> Void) -> HTTPResponse {
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        body(&writer)
        writer.endObject()
        return HTTPResponse(status: 200, contentType: "application/json", body: writer.bytes)
    }

    /// Reads a request's object and does what `read` makes of it, unless something is wrong with it.
    static func change(_ bytes: [UInt8], _ read: (inout JSONFields) -> () -> Void) -> HTTPResponse {
        let value: JSONValue
        do { value = try JSONValue(parsing: bytes) } catch {
            return HTTPResponse(status: 400, text: "not JSON: \(error)")
        }
        var fields = JSONFields(value)
        let apply = read(&fields)
        fields.refuseUnknown()
        guard fields.problems.isEmpty else {
            let lines = fields.problems.map { "\($0.path) \($0.message)" }
            return HTTPResponse(status: 422, text: lines.joined(separator: "\n"))
        }
        apply()
        return HTTPResponse(status: 204)
    }
}
