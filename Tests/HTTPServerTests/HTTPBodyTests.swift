// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPServer
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPBodyTests {
    @Test(
        "A body above the limit gets 413, the handler never runs, and the connection goes on",
        arguments: [false, true]
    )
    func tooLarge(isChunked: Bool) async throws {
        let chunk = "64\r\n\(String(repeating: "b", count: 100))\r\n"
        let rest =
            isChunked
            ? "Transfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 9000) + "0\r\n\r\n"
            : "Content-Length: 1000001\r\n\r\n" + String(repeating: "a", count: 1_000_001)
        let ran = Counter()
        let statuses = try await withServer([.echo(maximumBody: 100_000, ran: ran)]) { _, port in
            try await onThread {
                let client = try RawClient(port: port)
                let refused = try client.ask("POST /echo HTTP/1.1\r\nHost: a\r\n" + rest).status
                return [refused, try client.ask("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n").status]
            }
        }
        #expect(statuses == [413, 200])
        #expect(ran.value == 1)
    }

    @Test func aBodyFarAboveTheLimitIsRefusedBeforeItIsRead() async throws {
        var options = HTTPServerOptions()
        options.discardLimit = 10_000
        let answer = try await withServer([.echo(maximumBody: 1000)], options: options) { _, port in
            try await ask(port, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10001\r\n\r\n")
        }
        #expect(answer.status == 413)
    }

    @Test func anEndlessBodyIsCutOff() async throws {
        var options = HTTPServerOptions()
        options.discardLimit = 100_000
        let isClosed = try await withServer([.echo(maximumBody: 1000)], options: options) { _, port in
            try await onThread {
                let client = try RawClient(port: port)
                try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
                let chunk = "3e8\r\n" + String(repeating: "c", count: 1000) + "\r\n"
                for _ in 0..<100_000 {
                    do { try client.send(chunk) } catch { return true }
                }
                return false
            }
        }
        #expect(isClosed)
    }

    @Test func aClientThatExpectsAContinueGetsIt() async throws {
        let (first, second) = try await withServer { _, port in
            try await onThread {
                let client = try RawClient(port: port)
                let first = try client.ask(
                    "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
                )
                return (first, try client.ask("ok"))
            }
        }
        #expect(first.status == 100)
        #expect(second.body == "POST /echo?\nok")
    }

    @Test func aClientThatExpectsAContinueIsToldAtOnceThatItsBodyIsTooLarge() async throws {
        let answer = try await withServer([.echo(maximumBody: 10)]) { _, port in
            try await ask(port, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n")
        }
        #expect(answer.status == 413)
    }

    @Test func allBodiesTogetherAreBounded() async throws {
        var options = HTTPServerOptions()
        options.bodyMemory = 1000
        let statuses = try await withServer(options: options) { _, port in
            try await onThread {
                let client = try RawClient(port: port)
                let body = String(repeating: "d", count: 1001)
                let over = try client.ask("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n" + body)
                    .status
                // What was taken is given back.
                let within = try (0..<5).map { _ in
                    try client.ask("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 400\r\n\r\n" + body.prefix(400))
                        .status
                }
                return [over] + within
            }
        }
        #expect(statuses == [503, 200, 200, 200, 200, 200])
    }

    @Test func aSlowClientDoesNotHoldUpOthers() async throws {
        let bodies = try await withServer { _, port in
            try await onThread {
                let slow = try RawClient(port: port)
                for byte in "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab".utf8 {
                    try slow.send([byte])
                }
                let other = try RawClient(port: port).ask("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n").body
                return [other, try slow.ask("c").body]
            }
        }
        #expect(bodies == ["GET /echo?\n", "POST /echo?\nabc"])
    }

    @Test(
        "A body whose end could be seen in two places is refused, and nothing behind it is taken for a request",
        arguments: [
            "Content-Length: 3\r\nContent-Length: 30", "Content-Length: 3\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: chunked, identity", "Transfer-Encoding: xchunked",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "Content-Length: 3, 3",
        ]
    )
    func ambiguousLength(lines: String) async throws {
        let ran = Counter()
        try await withServer([.echo(ran: ran)]) { _, port in
            let statuses = try await onThread {
                let client = try RawClient(port: port)
                try client.send("POST /echo HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n")
                try? client.send("3\r\nabc\r\n0\r\n\r\nGET /echo HTTP/1.1\r\nHost: a\r\n\r\n")
                shutdownWriting(client)
                var statuses: [Int] = []
                while let answer = try? client.answer() { statuses.append(answer.status) }
                return statuses
            }
            #expect(statuses.allSatisfy { $0 >= 400 }, "\(statuses)")
            #expect(statuses.count <= 1)
        }
        #expect(ran.value == 0)
    }

    @Test(
        "Malformed requests are refused and the next client is served",
        arguments: [
            "\0\0\0\0\r\n\r\n", "GET\r\n\r\n", "GET /echo HTTP/9.9\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "GET /echo HTTP/1.1\r\n: x\r\n\u{1}\r\n\r\n", "GET /LONG",
            "GET /echo HTTP/1.1\r\nHost: a\r\nX: LONG\r\n\r\n",
        ]
    )
    func malformed(bytes: String) async throws {
        let status = try await withServer { _, port in
            try await onThread {
                let bad = try RawClient(port: port)
                try? bad.send(bytes.replacing("LONG", with: String(repeating: "a", count: 100_000)))
                shutdownWriting(bad)
                if let answer = try? bad.answer() { #expect(answer.status >= 400 || answer.status == 200) }
                return try RawClient(port: port).ask("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n").status
            }
        }
        #expect(status == 200)
    }
}
