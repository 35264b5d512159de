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
        return .object { writer in
            writer.key("calls")
            writer.beginArray()
            for call in bank.calls { call.write(to: &writer) }
            writer.endArray()
        }
    }

    private func script(_ request: HTTPRequest) -> HTTPResponse {
        guard request.method == "PUT" else {
            var writer = JSONWriter()
            bank.script.write(to: &writer)
            return HTTPResponse(status: 200, contentType: "application/json", body: writer.bytes)
        }
        return HTTPResponse.change(request.body) { fields in
            let script = BankScript(&fields)
            return { bank.change { $0 = script } }
        }
    }
}
