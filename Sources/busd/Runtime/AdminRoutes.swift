// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import Engine

/// The operators' HTTP endpoints.
struct AdminRoutes: Sendable {
    let state: NodeState
    let token: Secret?

    var routes: [HTTPRoute] {
        [
            HTTPRoute(.exact, path: "/healthz", methods: ["GET"]) { _ in HTTPResponse(status: 200, text: "alive") },
            HTTPRoute(.exact, path: "/readyz", methods: ["GET"]) { [state] _ in
                let obstacles = state.obstacles
                if obstacles.isEmpty { return HTTPResponse(status: 200, text: "ready") }
                return HTTPResponse(status: 503, text: "not ready: \(obstacles.joined(separator: "; "))")
            },
            HTTPRoute(.exact, path: "/metrics", methods: ["GET"]) { [state] _ in
                let text = await MetricsText.render(state.runners)
                let type = "text/plain; version=0.0.4; charset=utf-8"
                return HTTPResponse(status: 200, contentType: type, body: Array(text.utf8))
            },
            HTTPRoute(.below, path: "/channels", methods: ["POST"]) { await guarded($0, channels) },
            HTTPRoute(.below, path: "/pipelines", methods: ["POST"]) { await guarded($0, notYet) },
            HTTPRoute(.below, path: "/dead-letters", methods: ["GET", "POST", "DELETE"]) { request in
                await guarded(request, DeadLetterRoutes(office: state.deadLetters).answer)
            },
            HTTPRoute(.below, path: "/quarantine", methods: ["GET", "POST"]) { request in
                await guarded(request, QuarantineRoutes(state: state).answer)
            },
        ]
    }

    /// Lets only those through who present the token.
    private func guarded(
        _ request: HTTPRequest,
        _ handler: (HTTPRequest) async -> HTTPResponse
    ) async -> HTTPResponse {
        guard let token else { return HTTPResponse(status: 403, text: "set admin.token to use this") }
        let given = request.headers["authorization"] ?? ""
        guard given.lowercased().hasPrefix("bearer "), ConstantTime.equal(String(given.dropFirst(7)), token.reveal())
        else {
            return HTTPResponse(
                status: 401,
                contentType: "text/plain; charset=utf-8",
                headers: [(name: "WWW-Authenticate", value: "Bearer")],
                body: Array("present the admin token\n".utf8)
            )
        }
        return await handler(request)
    }

    /// Stops a channel or lets it go on: `POST /channels/{pipeline}/{name}/pause` and `/resume`.
    private func channels(_ request: HTTPRequest) async -> HTTPResponse {
        guard let parts = request.segments(after: "/channels"), parts.count == 3,
            let runner = state.runners.first(where: { $0.pipeline.name == parts[0] }),
            runner.pipeline.metrics.channels.contains(parts[1]), ["pause", "resume"].contains(parts[2])
        else { return HTTPResponse(status: 404, text: "no such channel") }
        runner.pipeline.dispatcher.pause(parts[1], parts[2] == "pause")
        state.log.info("an operator asked for a \(parts[2])", ["pipeline": parts[0], "channel": parts[1]])
        // The answer comes when the dispatcher has heard it: what is sent after a 204 obeys it.
        _ = await runner.pipeline.dispatcher.inspect()
        return HTTPResponse(status: 204)
    }

    private func notYet(_ request: HTTPRequest) async -> HTTPResponse {
        HTTPResponse(status: 501, text: "not available in this release")
    }
}
