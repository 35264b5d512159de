// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPServer
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPServerTests {
    @Test func aRequestArrivesWithItsPathQueryHeadersAndPeer() async throws {
        let route = HTTPRoute(.exact, path: "/a%20b", methods: ["GET"]) { request in
            let parts = [
                request.queryValue("x") ?? "-", request.queryValue("y") ?? "-", request.headers["x-TEST"] ?? "-",
                request.headers["absent"] ?? "-", request.peer.address,
            ]
            return HTTPResponse(
                status: 201,
                contentType: "a/b",
                headers: [("X-One", "1")],
                body: Array("\(parts)".utf8)
            )
        }
        let answer = try await withServer([route]) { _, port in
            try await ask(port, "GET /a%20b?x=1%202+3&y HTTP/1.1\r\nHost: a\r\nX-Test: seven\r\n\r\n")
        }
        #expect(answer.status == 201)
        #expect(answer.body == #"["1 2 3", "", "seven", "-", "127.0.0.1"]"#)
        #expect(answer.head.contains("Content-Type: a/b"))
        #expect(answer.head.contains("X-One: 1"))
    }

    @Test func oneConnectionServesManyRequestsAlsoPipelined() async throws {
        let answers = try await withServer { _, port in
            try await onThread {
                let client = try RawClient(port: port)
                let one = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"
                try client.send(one)
                let first = try client.answer()
                try client.send(one + "GET /echo/2 HTTP/1.1\r\nHost: a\r\n\r\n" + one)
                return try [first, client.answer(), client.answer(), client.answer()].map(\.body)
            }
        }
        #expect(answers == ["POST /echo?\nhi", "POST /echo?\nhi", "GET /echo/2?\n", "POST /echo?\nhi"])
    }

    @Test func chunksAreJoined() async throws {
        let answer = try await withServer { _, port in
            try await ask(
                port,
                "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nT: 1\r\n\r\n"
            )
        }
        #expect(answer.body == "POST /echo?\nabcde")
    }

    @Test func aHeadIsAnsweredWithoutABody() async throws {
        let answers = try await withServer { _, port in
            try await onThread {
                let client = try RawClient(port: port)
                try client.send("HEAD /echo HTTP/1.1\r\nHost: a\r\n\r\n")
                let head = try client.answer(isHead: true)
                try client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")
                return (head, try client.answer())
            }
        }
        #expect(answers.0.head.contains("Content-Length: 11"))
        #expect(answers.1.body == "GET /echo?\n")
    }

    @Test(
        "Paths and methods that are not served",
        arguments: [
            ("GET /nowhere", 404, ""), ("GET /echoes", 404, ""), ("DELETE /echo", 405, "Allow: GET, POST, HEAD"),
            ("PUT /echo/x", 405, "Allow: GET, POST, HEAD"), ("GET http://host/echo", 200, ""), ("OPTIONS *", 404, ""),
        ]
    )
    func routing(line: String, status: Int, header: String) async throws {
        let answer = try await withServer { _, port in try await ask(port, "\(line) HTTP/1.1\r\nHost: a\r\n\r\n") }
        #expect(answer.status == status)
        #expect(header.isEmpty || answer.head.contains(header))
    }

    @Test func routesAreReplacedWhileTheConnectionStays() async throws {
        let statuses = try await withServer { server, port in
            let client = try RawClient(port: port)
            nonisolated(unsafe) let shared = client
            let before = try await onThread { try shared.ask("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n").status }
            server.replaceRoutes([])
            let after = try await onThread { try shared.ask("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n").status }
            return [before, after]
        }
        #expect(statuses == [200, 404])
    }

    @Test func aHookRefusesBeforeTheBodyIsRead() async throws {
        let ran = Counter()
        var route = HTTPRoute.echo(ran: ran)
        route.admit = { $0.headers["X-Key"] == nil ? HTTPResponse(status: 403, text: "no") : nil }
        let statuses = try await withServer([route]) { _, port in
            // The body is announced and never sent.
            let refused = try await ask(port, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n").status
            let passed = try await ask(port, "GET /echo HTTP/1.1\r\nHost: a\r\nX-Key: 1\r\n\r\n").status
            return [refused, passed]
        }
        #expect(statuses == [403, 200])
        #expect(ran.value == 1)
    }

    @Test(arguments: ["127.0.0.1", "localhost:80", "[::1]", "127.0.0.1:99999", "::1:80", "[127.0.0.1]:80", ":80"])
    func anAddressMustBeNumericWithAPort(text: String) {
        #expect(throws: HTTPServerError.self) { try HTTPServer(listen: [text], routes: []) }
    }

    @Test func twoAddressesAreServedAndATakenOneIsAnError() async throws {
        let server = try HTTPServer(listen: ["127.0.0.1:0", "[::1]:0"], routes: [.echo()])
        let taken = try #require(server.addresses.first)
        let error = #expect(throws: HTTPServerError.self) {
            try HTTPServer(listen: ["127.0.0.1:0", taken.description], routes: [])
        }
        #expect(error?.description == "\(taken): cannot listen: Address already in use")
        #expect(server.addresses.allSatisfy { $0.port != 0 })
        await server.stop(drain: .zero)
        await server.stop(drain: .zero)
    }
}

extension RawClient {
    func ask(_ text: String) throws -> Answer {
        try send(text)
        return try answer()
    }
}

func ask(_ port: UInt16, _ text: String) async throws -> RawClient.Answer {
    try await onThread { try RawClient(port: port).ask(text) }
}
