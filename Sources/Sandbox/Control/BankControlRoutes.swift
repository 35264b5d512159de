// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON

/// What the sandbox answers about its bank over HTTP.
struct BankControlRoutes {
    let bank: BankStandIn

    var routes: [HTTPRoute] {
        [
            HTTPRoute(.exact, path: "/bank/calls", methods: ["GET", "DELETE"]) { calls($0) },
            HTTPRoute(.exact, path: "/bank/script", methods: ["GET", "PUT"]) { script($0) },
        ]
    }

    private func calls(_ request: HTTPRequest) -> HTTPResponse {
        guard request.method == "GET" else {
            bank.removeCalls()
            return HTTPResponse(status: 204)
        }
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        writer.key("calls")
        writer.beginArray()
        for call in bank.calls { call.write(to: &writer) }
        writer.endArray()
        writer.endObject()
        return HTTPResponse(status: 200, contentType: "application/json", body: writer.bytes)
    }

    private func script(_ request: HTTPRequest) -> HTTPResponse {
        guard request.method == "PUT" else {
            var writer = JSONWriter()
            bank.script.write(to: &writer)
            return HTTPResponse(status: 200, contentType: "application/json", body: writer.bytes)
        }
        let value: JSONValue
        do { value = try JSONValue(parsing: request.body) } catch {
            return HTTPResponse(status: 400, text: "not JSON: \(error)")
        }
        var fields = JSONFields(value)
        let script = BankScript(&fields)
        guard fields.problems.isEmpty else {
            let lines = fields.problems.map { "\($0.path) \($0.message)" }
            return HTTPResponse(status: 422, text: lines.joined(separator: "\n"))
        }
        bank.change { $0 = script }
        return HTTPResponse(status: 204)
    }
}
