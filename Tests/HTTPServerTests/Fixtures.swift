// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPServer
import Synchronization
import Testing

/// A server with an echo, stopped on both paths.
func withServer<Result>(
    _ routes: [HTTPRoute] = [.echo()],
    tls: HTTPServerTLS? = nil,
    options: HTTPServerOptions = HTTPServerOptions(),
    _ body: (_ server: HTTPServer, _ port: UInt16) async throws -> Result
) async throws -> Result {
    let server = try HTTPServer(listen: ["127.0.0.1:0"], routes: routes, tls: tls, options: options)
    let port = try #require(server.addresses.first).port
    do {
        let result = try await body(server, port)
        await server.stop(drain: .seconds(5))
        return result
    } catch {
        await server.stop(drain: .zero)
        throw error
    }
}

extension HTTPRoute {
    /// Answers `METHOD PATH?QUERY` and the body.
    static func echo(maximumBody: Int = 1 << 20, ran: Counter? = nil) -> HTTPRoute {
        HTTPRoute(.below, path: "/echo", methods: ["GET", "POST"], maximumBody: maximumBody) { request in
            ran?.add()
            let line = "\(request.method) \(request.path)?\(request.query)\n"
            return HTTPResponse(status: 200, contentType: "text/plain", body: Array(line.utf8) + request.body)
        }
    }
}

/// Counts from any thread.
final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .acquiring) }

    func add() { count.add(1, ordering: .acquiringAndReleasing) }
}
