// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON

/// What the sandbox answers about its push providers over HTTP: records, rules, numbers.
struct ControlRoutes {
    let services: [(service: SandboxService, standIn: PushStandIn)]

    var routes: [HTTPRoute] {
        [
            HTTPRoute(.exact, path: "/records", methods: ["GET", "DELETE"]) { records($0) },
            HTTPRoute(.exact, path: "/rules", methods: ["GET", "PUT"]) { rules($0) },
            HTTPRoute(.exact, path: "/stats", methods: ["GET"]) { _ in stats() },
        ]
    }

    private func records(_ request: HTTPRequest) -> HTTPResponse {
        let wanted = request.queryValue("service")
        let chosen = services.filter { wanted == nil || $0.service.rawValue == wanted }
        guard request.method == "GET" else {
            for (_, standIn) in chosen { standIn.removeRecords() }
            return HTTPResponse(status: 204)
        }
        return .object { writer in
            writer.key("records")
            writer.beginArray()
            for (service, standIn) in chosen {
                for record in standIn.records(token: request.queryValue("token")) {
                    record.write(to: &writer, service: service)
                }
            }
            writer.endArray()
        }
    }

    private func rules(_ request: HTTPRequest) -> HTTPResponse {
        request.method == "GET" ? shownRules() : setRules(request.body)
    }

    private func shownRules() -> HTTPResponse {
        .object { writer in
            writer.key("rules")
            writer.beginArray()
            for (service, standIn) in services {
                for rule in standIn.rules { rule.write(to: &writer, service: service) }
            }
            writer.endArray()
        }
    }

    private func setRules(_ body: [UInt8]) -> HTTPResponse {
        HTTPResponse.change(body) { fields in
            let rules = fields.objects("rules", required: true) { ServiceRule(&$0) } ?? []
            return {
                for (service, standIn) in services {
                    standIn.setRules(rules.filter { $0.service == service }.map(\.rule))
                }
            }
        }
    }

    private func stats() -> HTTPResponse {
        .object { writer in
            for (service, standIn) in services {
                let counters = standIn.counters
                writer.key(text: service.rawValue)
                writer.beginObject()
                writer.number("connectionsAccepted", Int64(counters.accepted))
                writer.number("connectionsOpen", Int64(counters.open))
                writer.number("mostConcurrentStreams", Int64(counters.mostStreams))
                writer.endObject()
            }
        }
    }
}

/// A rule and the service that it is for; without a word, APNs.
private struct ServiceRule {
    let service: SandboxService
    let rule: PushRule

    init(_ fields: inout JSONFields) {
        let name = fields.string("service") ?? SandboxService.apns.rawValue
        let known = SandboxService(rawValue: name)
        if known == nil {
            let names = SandboxService.allCases.map(\.rawValue).joined(separator: ", ")
            fields.problem("service", "must be one of \(names)")
        }
        service = known ?? .apns
        rule = PushRule(&fields)
        if let problem = rule.problem(for: service) { fields.problem(problem.key, problem.message) }
    }
}
