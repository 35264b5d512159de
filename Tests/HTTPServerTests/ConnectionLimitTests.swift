// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ConnectionLimitTests {
    @Test func aHeadHasItsTimeHoweverItDrips() async throws {
        var options = HTTPServerOptions()
        options.headSeconds = 1
        let tight = options
        let (isClosed, status) = try await withServer(options: tight) { _, port in
            try await onThread {
                let client = try RawClient(port: port)
                let kept = try RawClient(port: port)
                let began = MonotonicTime.now()
                // Each byte is waited for by the loop below, and none of them renews the time.
                while MonotonicTime.now().milliseconds(since: began) < 5_000 {
                    guard (try? client.send("G")) != nil else { break }
                    if LoopbackSocket.isReadable(client.descriptor, within: 50) { break }
                }
                let lasted = MonotonicTime.now().milliseconds(since: began)
                // A connection between two requests is none of the head's business.
                return try (lasted < 4_000, kept.ask("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n").status)
            }
        }
        #expect(isClosed)
        #expect(status == 200)
    }

    @Test func theListenerOutlivesMoreConnectionsThanItTakes() async throws {
        var options = HTTPServerOptions()
        options.connectionLimit = 64
        let tight = options
        try await withServer(options: tight) { server, port in
            let statuses = try await onThread {
                let bank = try RawClient(port: port)
                var statuses = [try bank.ask("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n").status]
                for _ in 0..<5 {
                    let crowd = try (0..<200).map { _ in try RawClient(port: port) }
                    for client in crowd.prefix(20) { try? client.send("GET /ec") }
                    statuses.append(try bank.ask("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n").status)
                    statuses.append(try RawClient(port: port).ask("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n").status)
                }
                return statuses
            }
            #expect(statuses == Array(repeating: 200, count: 11))
            #expect(server.troubles.isEmpty)
            #expect(server.connections <= 64)
        }
    }

    @Test func anAnswerThatIsHeldBackHoldsUpNobodyAndNotTheStop() async throws {
        var route = HTTPRoute.echo()
        route.admit = { request in
            guard request.headers["X-Key"] == nil else { return nil }
            var response = HTTPResponse(status: 401, text: "no")
            response.delay = request.headers["X-Long"] == nil ? .milliseconds(300) : .seconds(60)
            return response
        }
        let guarded = route
        try await withServer([guarded]) { _, port in
            let (status, took) = try await onThread {
                let guesser = try RawClient(port: port)
                let began = MonotonicTime.now()
                try guesser.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
                let other = try RawClient(port: port).ask("GET /echo HTTP/1.1\r\nHost: a\r\nX-Key: 1\r\n\r\n")
                #expect(other.status == 200)
                #expect(MonotonicTime.now().milliseconds(since: began) < 300)
                let status = try guesser.answer().status
                return (status, MonotonicTime.now().milliseconds(since: began))
            }
            #expect(status == 401)
            #expect(took >= 300)
            // withServer's stop gives it five seconds, and does not need them.
            try await onThread { try RawClient(port: port).send("GET /echo HTTP/1.1\r\nHost: a\r\nX-Long: 1\r\n\r\n") }
        }
    }
}
