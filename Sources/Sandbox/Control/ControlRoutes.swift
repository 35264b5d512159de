// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON

/// What the sandbox answers about itself over HTTP: records, rules, numbers.
struct ControlRoutes {
    let apns: APNsStandIn

    var routes: [HTTPRoute] {
        [
            HTTPRoute(.exact, path: "/records", methods: ["GET", "DELETE"]) { records($0) },
            HTTPRoute(.exact, path: "/rules", methods: ["GET", "PUT"]) { rules($0) },
            HTTPRoute(.exact, path: "/stats", methods: ["GET"]) { _ in stats() },
        ]
    }

    private func records(_ request: HTTPRequest) -> HTTPResponse {
        guard request.method == "GET" else {
            apns.removeRecords()
            return HTTPResponse(status: 204)
        }
        return object { writer in
            writer.key("records")
            writer.beginArray()
            for record in apns.records(token: request.queryValue("token")) { record.write(to: &writer) }
            writer.endArray()
        }
    }

    private func rules(_ request: HTTPRequest) -> HTTPResponse {
        request.method == "GET" ? shownRules() : setRules(request.body)
    }

    private func shownRules() -> HTTPResponse {
        object { writer in
            writer.key("rules")
            writer.beginArray()
            for rule in apns.rules { rule.write(to: &writer) }
            writer.endArray()
        }
    }

    private func setRules(_ body: [UInt8]) -> HTTPResponse {
        let value: JSONValue
        do { value = try JSONValue(parsing: body) } catch {
            return HTTPResponse(status: 400, text: "not JSON: \(error)")
        }
        var fields = JSONFields(value)
        let rules = fields.objects("rules", required: true) { APNsRule(&$0) } ?? []
        fields.refuseUnknown()
        guard fields.problems.isEmpty else {
            let lines = fields.problems.map { "\($0.path) \($0.message)" }
            return HTTPResponse(status: 422, text: lines.joined(separator: "\n"))
        }
        apns.setRules(rules)
        return HTTPResponse(status: 204)
    }

    private func stats() -> HTTPResponse {
        let counters = apns.counters
        return object { writer in
            writer.key("apns")
            writer.beginObject()
            writer.number("connectionsAccepted", Int64(counters.accepted))
            writer.number("connectionsOpen", Int64(counters.open))
            writer.number("mostConcurrentStreams", Int64(counters.mostStreams))
            writer.endObject()
        }
    }

    private func object(_ body: (inout JSONWriter) -> Void) -> HTTPResponse {
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        body(&writer)
        writer.endObject()
        return HTTPResponse(status: 200, contentType: "application/json", body: writer.bytes)
    }
}
