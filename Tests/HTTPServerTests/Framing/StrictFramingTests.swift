// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPServer
import Testing

/// Raw bytes that libmicrohttpd alone would take, each a way to show two readers two different requests.
enum BadBytes {
    static let get = "GET /echo HTTP/1.1\r\n"
    static let post = "POST /echo HTTP/1.1\r\nHost: a\r\n"
    static let chunked = post + "Transfer-Encoding: chunked\r\n\r\n"

    /// What, and the status that it is answered with.
    static let all: [(bytes: String, status: Int)] =
        (lines + heads + lengths + chunks).map { ($0, 400) } + [
            (post + "Content-Length: 99999999999999999999\r\n\r\n", 413),
            ("GET /echo HTTP/2.0\r\nHost: a\r\n\r\n", 505), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        ]

    private static let lines = [
        "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", "GET  /echo HTTP/1.1\r\nHost: a\r\n\r\n",
        "G@T /echo HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a\u{1}b HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a\0b HTTP/1.1\r\nHost: a\r\n\r\n", "GET /\u{e9} HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /echo HTTP/1.1 \r\nHost: a\r\n\r\n", "GET echo HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET *x HTTP/1.1\r\nHost: a\r\n\r\n", "GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET ?x HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /echo\r\n\r\n", "GET /echo HTTP/1.1\nHost: a\n\n", "GET /echo HTTP/1.1\rHost: a\r\r",
        "GET /echo http/1.1\r\nHost: a\r\n\r\n", " GET /echo HTTP/1.1\r\nHost: a\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
    ]

    private static let heads = [
        get + "\r\n", get + "Host: a\r\nHost: a\r\n\r\n", get + "Host: a, b\r\n\r\n", get + "Host : a\r\n\r\n",
        get + "Host: a\r\nX : y\r\n\r\n", get + "Host: a\r\nX\t: y\r\n\r\n", get + "Host: a\r\nX Y: z\r\n\r\n",
        get + "Host: a\r\n: y\r\n\r\n", get + "Host: a\r\nNothing\r\n\r\n", get + "Host: a\r\nX: y\r\n z\r\n\r\n",
        get + "Host: a\r\nX: y\r\n\tz\r\n\r\n", get + " Host: a\r\n\r\n", get + "Host: a\r\nX: a\0b\r\n\r\n",
        get + "Host: a\r\nX: a\rb\r\n\r\n", get + "Host: a\r\nX: a\nY: b\r\n\r\n",
        get + "Host: a\r\nX: a\u{7f}\r\n\r\n",
        get + "Host: a\r\nX(: y\r\n\r\n",
    ]

    private static let lengths =
        [
            "Content-Length : 3\r\n\r\nabc", "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
            "Content-Length: +3\r\n\r\nabc",
            "Content-Length: -3\r\n\r\nabc", "Content-Length: 0x3\r\n\r\nabc", "Content-Length: 3 3\r\n\r\nabc",
            "Content-Length: 3 \r\n\r\nabc",
            "Transfer-Encoding: chunked \r\n\r\n0\r\n\r\n",
            "Content-Length:\r\n\r\n", "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
            "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc", "Content-Length: 3, 3\r\n\r\nabc",
            "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n", "Transfer-Encoding: identity\r\n\r\n",
            "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
            "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", "Transfer-Encoding:\u{b}chunked\r\n\r\n0\r\n\r\n",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ].map { post + $0 } + ["POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"]

    private static let chunks = [
        "3\nabc\r\n0\r\n\r\n", "3\r\nabc\n0\r\n\r\n", "3\r\nabc\r\n0\n\r\n", "3\r\nabc\r\n0\r\n\n",
        "3\r\nabcd\r\n0\r\n\r\n",
        "3\r\nabc0\r\n\r\n", "\r\n", "zz\r\n", "0x3\r\nabc\r\n0\r\n\r\n", "+3\r\nabc\r\n0\r\n\r\n", "-1\r\n",
        " 3\r\nabc\r\n0\r\n\r\n",
        "3 \r\nabc\r\n0\r\n\r\n", "fffffffffffffffff\r\n", "3;a\nabc\r\n0\r\n\r\n", "3;\0\r\nabc\r\n0\r\n\r\n",
        "3;\(String(repeating: "x", count: 300))\r\nabc\r\n0\r\n\r\n", "0\r\nX : y\r\n\r\n", "0\r\n X: y\r\n\r\n",
        "0\r\nX\r\n\r\n", "0\r\nX: y\n\r\n",
    ].map { chunked + $0 }
}

@Suite(.timeLimit(.minutes(1)))
struct StrictFramingTests {
    private static let next = "GET /echo/smuggled HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test(
        "A length that is none is answered once, in words",
        arguments: [("+3", 400), ("0x3", 400), ("-3", 400), ("", 400), ("3, 3", 400), ("99999999999999999999", 413)]
    )
    func faultyLength(value: String, status: Int) async throws {
        try await withServer([.echo()]) { _, port in
            let answer = try await onThread {
                try RawClient(port: port).ask(BadBytes.post + "Content-Length: \(value)\r\n\r\nabc")
            }
            #expect(answer.status == status)
            #expect(!answer.body.contains("HTTP/1.1"), "\(answer.body)")
            #expect(!answer.body.contains("<html>"))
        }
    }

    private func statuses(_ port: UInt16, _ parts: [[UInt8]]) async throws -> [Int] {
        try await onThread {
            let client = try RawClient(port: port)
            for part in parts { try? client.send(part) }
            var statuses: [Int] = []
            while let answer = try? client.answer() { statuses.append(answer.status) }
            return statuses
        }
    }

    @Test("Bad bytes are answered and the connection is closed: what follows is no request")
    func refused() async throws {
        let ran = Counter()
        try await withServer([.echo(ran: ran)]) { _, port in
            for (bytes, status) in BadBytes.all {
                let statuses = try await statuses(port, [Array((bytes + Self.next).utf8)])
                #expect(statuses == [status], "\(bytes.debugDescription)")
            }
            #expect(try await statuses(port, [Array((Self.next + "GET /echo\n").utf8)]) == [200, 400])
        }
        #expect(ran.value == 1)
    }

    @Test("However the bytes are cut, the verdict is the same")
    func cut() async throws {
        try await withServer { _, port in
            for (bytes, status) in BadBytes.all where bytes.utf8.count < 200 {
                let statuses = try await statuses(port, bytes.utf8.map { [$0] })
                #expect(statuses == [status], "\(bytes.debugDescription)")
            }
        }
    }

    @Test(
        "What is unusual and well-formed is served",
        arguments: [
            "\r\nGET /echo HTTP/1.1\r\nHost: a\r\n\r\n", "GET /echo HTTP/1.1\r\nhOST:a\r\nX:\r\n\r\n",
            "GET /echo HTTP/1.1\r\nHost: \r\n\r\n", "GET /echo HTTP/1.0\r\n\r\n",
            "GET http://a/echo?<>|\" HTTP/1.1\r\nHost: a\r\nX: \u{e9}\t;,\r\n\r\n",
            BadBytes.post + "Content-Length: \t3\r\n\r\nabc", BadBytes.post + "content-length: 0003\r\n\r\nabc",
            BadBytes.post + "Transfer-Encoding: Chunked\r\n\r\n003;x=\"y z\"\r\nabc\r\n00\r\nX: y\r\nZ:\r\n\r\n",
            BadBytes.chunked + "0A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n",
        ]
    )
    func served(bytes: String) async throws {
        try await withServer { _, port in
            for parts in [[Array(bytes.utf8)], bytes.utf8.map { [$0] }] {
                let status = try await onThread {
                    let client = try RawClient(port: port)
                    for part in parts { try client.send(part) }
                    return try client.answer().status
                }
                #expect(status == 200)
            }
        }
    }

    @Test("Parameters and fields beyond what there is memory for are told so", arguments: [100, 200, 400, 3_000])
    func parameters(count: Int) async throws {
        let query = (0..<count).map { "p\($0)=" }.joined(separator: "&")
        let cookies = (0..<count).map { "c\($0)=" }.joined(separator: ";")
        let fields = (0..<count).map { "X-\($0): y\r\n" }.joined()
        let found = try await withServer { _, port in
            try await [
                statuses(port, [Array("GET /echo?\(query) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)]),
                statuses(
                    port,
                    [Array("GET /echo HTTP/1.1\r\nHost: a\r\nCookie: \(cookies)\r\nConnection: close\r\n\r\n".utf8)]
                ),
                statuses(port, [Array("GET /echo HTTP/1.1\r\nHost: a\r\n\(fields)Connection: close\r\n\r\n".utf8)]),
            ]
        }
        #expect(found == (count == 100 ? [[200], [200], [200]] : count == 200 ? found : [[414], [431], [431]]))
        #expect(found.allSatisfy { $0.count == 1 })
    }

    @Test("An answer reaches a client that is still writing")
    func lingering() async throws {
        var route = HTTPRoute.echo(maximumBody: 64 << 20)
        route.admit = { _ in HTTPResponse(status: 401, text: "no") }
        let refusing = route
        let statuses = try await withServer([refusing]) { _, port in
            try await onThread {
                try (0..<20).map { _ in
                    let client = try RawClient(port: port)
                    try client.send(BadBytes.post + "Content-Length: 2000000\r\n\r\n")
                    // Each part after the answer was sent: without the linger the second one meets a reset.
                    for _ in 0..<20 { try? client.send([UInt8](repeating: 0x61, count: 100_000)) }
                    return try client.answer().status
                }
            }
        }
        #expect(statuses == Array(repeating: 401, count: 20))
    }
}
