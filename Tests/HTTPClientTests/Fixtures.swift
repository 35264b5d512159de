// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPClient
import HTTPServer
import TestSupport
import Testing

/// A client and a server for one test, stopped on both paths.
func withClient<Result>(
    _ configuration: HTTPClientConfiguration = HTTPClientConfiguration(),
    _ handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse = echo,
    _ body: (_ client: HTTPClient, _ base: String) async throws -> Result
) async throws -> Result {
    let methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    let route = HTTPRoute(.below, path: "/", methods: methods, maximumBody: 4 << 20, handler: handler)
    let server = try HTTPServer(listen: ["127.0.0.1:0"], routes: [route])
    let port = try #require(server.addresses.first).port
    let client = HTTPClient(configuration)
    do {
        let result = try await body(client, "http://127.0.0.1:\(port)")
        client.stop()
        await server.stop(drain: .zero)
        return result
    } catch {
        client.stop()
        await server.stop(drain: .zero)
        throw error
    }
}

/// Answers with what came: `METHOD PATH?QUERY`, some header fields, and the body.
@Sendable func echo(_ request: HTTPRequest) async -> HTTPResponse {
    let type = request.headers["Content-Type"] ?? "none"
    let expect = request.headers["Expect"] ?? "none"
    let extra = request.headers["X-Extra"] ?? "none"
    let line = "\(request.method) \(request.path)?\(request.query) \(type) \(expect) \(extra)\n"
    return HTTPResponse(status: 200, contentType: "text/plain", body: Array(line.utf8) + request.body)
}

extension HandlerGate {
    /// A handler that waits at the gate.
    var handler: @Sendable (HTTPRequest) async -> HTTPResponse {
        { _ in
            await self.pass()
            return HTTPResponse(status: 200, text: "late")
        }
    }
}

/// The error of a request that must fail.
func failure(of client: HTTPClient, _ request: HTTPClientRequest) async throws -> HTTPClientError {
    try await #require(throws: HTTPClientError.self) { _ = try await client.send(request) }
}
