// SPDX-License-Identifier: Apache-2.0

import Bus
import Glibc
import HTTPServer
import TestSupport
import Testing

@Suite("What the server itself turns away is in the words of the route", .timeLimit(.minutes(1)))
struct RefusalTests {
    private static let route: HTTPRoute = {
        var route = HTTPRoute.echo(maximumBody: 10)
        route.refuse = { refusal, request in
            HTTPResponse(
                status: refusal.status,
                contentType: "test/words",
                headers: refusal.headers,
                body: Array("\(request.headers["X-Test"] ?? "-"): \(refusal.message)".utf8)
            )
        }
        return route
    }()

    @Test(
        arguments: [
            ("DELETE", "X-Test: 7", 405, "7: this path takes GET, POST, HEAD"),
            (
                "POST", "X-Test: 7\r\nContent-Length: 11\r\nExpect: 100-continue", 413,
                "7: the body is larger than 10 bytes"
            ),
            ("POST", "Content-Length: 3\r\nContent-Length: 30", 400, "-: the length of the body is ambiguous"),
        ]
    )
    func words(method: String, lines: String, status: Int, body: String) async throws {
        let answer = try await withServer([Self.route]) { _, port in
            try await ask(port, "\(method) /echo/x HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n")
        }
        #expect(answer.status == status)
        #expect(answer.body == body)
        #expect(answer.head.contains("Content-Type: test/words"))
        #expect((status == 405) == answer.head.contains("Allow: GET, POST, HEAD"))
    }

    @Test func aBodyThatTurnsOutTooLarge() async throws {
        let answer = try await withServer([Self.route]) { _, port in
            try await ask(
                port,
                "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n01234567890123456789\r\n0\r\n\r\n"
            )
        }
        #expect(answer.status == 413)
        #expect(answer.body == "-: the body is larger than 10 bytes")
    }

    @Test func memoryThatIsUsedUp() async throws {
        var options = HTTPServerOptions()
        options.bodyMemory = 4
        let answer = try await withServer([Self.route], options: options) { _, port in
            try await ask(port, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12345")
        }
        #expect(answer.status == 503)
        #expect(answer.body == "-: overloaded, try again later")
        #expect(answer.head.contains("Retry-After: 1"))
    }

    @Test func aServerThatIsOnItsWayDown() async throws {
        let gate = HandlerGate()
        let server = try HTTPServer(listen: ["127.0.0.1:0"], routes: [Self.route, gate.route])
        let port = try #require(server.addresses.first).port
        async let held = ask(port, "GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
        await gate.waitForArrival()
        nonisolated(unsafe) let client = try RawClient(port: port)
        let before = try await onThread { try client.ask("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n").status }
        #expect(before == 200)
        async let stopped: Void = server.stop(drain: .seconds(30))
        let answer = try await onThread {
            // Refused as soon as the stop has begun.
            while (try? RawClient(port: port)) != nil { sched_yield() }
            return try client.ask("GET /echo HTTP/1.1\r\nHost: a\r\nX-Test: 9\r\n\r\n")
        }
        gate.open()
        await stopped
        #expect(try await held.status == 200)
        #expect(answer.status == 503)
        #expect(answer.body == "9: shutting down, try again later")
        #expect(answer.head.contains("Retry-After: 5"))
    }
}
