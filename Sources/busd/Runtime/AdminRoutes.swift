// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import Engine
import WebAPI

/// The operators' HTTP endpoints.
struct AdminRoutes: Sendable {
    let state: NodeState
    let token: Secret?

    /// What everybody may ask.
    private static let open: Set<String> = ["/healthz", "/readyz", "/metrics"]

    /// All of them; where a token is needed, its caller is turned away before their body is read.
    var routes: [HTTPRoute] {
        served.map { route in
            var route = route
            if !Self.open.contains(route.path) { route.admit = refusal }
            return route
        }
    }

    private var served: [HTTPRoute] {
        [
            HTTPRoute(.exact, path: "/healthz", methods: ["GET"]) { _ in HTTPResponse(status: 200, text: "alive") },
            HTTPRoute(.exact, path: "/readyz", methods: ["GET"]) { [state] _ in
                let obstacles = state.obstacles
                guard !obstacles.isEmpty else { return HTTPResponse(status: 200, text: "ready") }
                return HTTPResponse(
                    status: 503,
                    text: obstacles.map { "not ready: \($0)" }.joined(separator: "\n")
                )
            },
            HTTPRoute(.exact, path: "/metrics", methods: ["GET"]) { [state] _ in
                let text = await MetricsText.render(state.runners, state.ledger.condition, admin: state.door)
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
        if let refused = refused(request) { return refused }
        return await handler(request)
    }

    @Sendable private func refusal(_ request: HTTPRequest) -> HTTPResponse? {
        guard let response = refused(request) else { return nil }
        // The first part is one of ours; what follows may be an id.
        let place = "/\(request.segments(after: "")?.first ?? "")"
        let reason: CallRefusal = request.headers["Authorization"] == nil || token == nil ? .missing : .wrong
        return state.door.refuse(request, at: place, because: reason, with: response)
    }

    private func refused(_ request: HTTPRequest) -> HTTPResponse? {
        guard let token else { return HTTPResponse(status: 403, text: "set admin.token to use this") }
        if let given = request.bearerToken, ConstantTime.equal(given, token.reveal()) { return nil }
        var response = HTTPResponse(status: 401, text: "present the admin token")
        response.headers = [(name: "WWW-Authenticate", value: "Bearer")]
        return response
    }

    /// Stops a channel or a bank link, or lets it go on: `POST /channels/{pipeline}/{name}/pause` and `/resume`.
    private func channels(_ request: HTTPRequest) async -> HTTPResponse {
        guard let parts = request.segments(after: "/channels"), parts.count == 3,
            let runner = state.runners.first(where: { $0.pipeline.name == parts[0] }),
            ["pause", "resume"].contains(parts[2])
        else { return HTTPResponse(status: 404, text: "no such channel") }
        switch await runner.pipeline.setPause(parts[2] == "pause", of: parts[1]) {
        case .failure(let error): return HTTPResponse(status: 503, text: "the store failed: \(error)")
        case .success(false): return HTTPResponse(status: 404, text: "no such channel")
        case .success(true):
            state.log.info("an operator asked for a \(parts[2])", ["pipeline": parts[0], "channel": parts[1]])
            return HTTPResponse(status: 204)
        }
    }

    private func notYet(_ request: HTTPRequest) async -> HTTPResponse {
        HTTPResponse(status: 501, text: "not available in this release")
    }
}
