// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPClient
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPClientTests {
    @Test("Method, path, query and body arrive as given", arguments: ["GET", "POST", "PUT", "PATCH", "DELETE"])
    func methods(method: String) async throws {
        let body = method == "GET" ? [] : Array("пин \0 код".utf8)
        let answer = try await withClient { client, base in
            try await client.send(HTTPClientRequest(method: method, url: base + "/a/../b%2Fc?d=e%20f", body: body))
        }
        #expect(answer.status == 200)
        #expect(answer.body == Array("\(method) /a/../b%2Fc?d=e%20f none none none\n".utf8) + body)
        #expect(answer.headers["content-TYPE"] == "text/plain")
    }

    @Test func anEmptyPostHasALengthAndNoType() async throws {
        let answer = try await withClient { client, base in
            try await client.send(HTTPClientRequest(method: "POST", url: base + "/"))
        }
        #expect(String(decoding: answer.body, as: UTF8.self) == "POST /? none none none\n")
    }

    @Test func aHeadGetsAStatusAndNoBody() async throws {
        let answer = try await withClient { client, base in
            try await client.send(HTTPClientRequest(method: "HEAD", url: base + "/"))
        }
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty)
    }

    @Test func headerFieldsArriveAsGiven() async throws {
        let fields = [("Content-Type", "application/json"), ("X-Extra", "a: b; c")]
        let answer = try await withClient { client, base in
            try await client.send(HTTPClientRequest(method: "POST", url: base + "/x", headers: fields, body: [0x7b]))
        }
        #expect(String(decoding: answer.body, as: UTF8.self) == "POST /x? application/json none a: b; c\n{")
    }

    @Test("Any status is an answer, and no redirect is followed", arguments: [204, 302, 404, 429, 500, 503])
    func statuses(status: Int) async throws {
        let handler: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
            let headers = [("Location", "/elsewhere"), ("Retry-After", "7")]
            return HTTPResponse(status: request.path == "/" ? status : 200, headers: headers)
        }
        let answer = try await withClient(HTTPClientConfiguration(), handler) { client, base in
            try await client.send(HTTPClientRequest(url: base + "/"))
        }
        #expect(answer.status == status)
        #expect(answer.headers["Retry-After"] == "7")
        #expect(answer.body.isEmpty)
    }

    @Test func bigBodiesPassInBothDirections() async throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
        let answer = try await withClient { client, base in
            try await client.send(
                HTTPClientRequest(method: "POST", url: base + "/", body: body, responseLimit: 4 << 20)
            )
        }
        #expect(Array(answer.body.suffix(body.count)) == body)
    }

    @Test func aHundredRequestsAtOnceGetTheirOwnAnswers() async throws {
        let configuration = HTTPClientConfiguration(concurrentRequests: 32)
        let answers = try await withClient(configuration) { client, base in
            try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let answer = try await client.send(HTTPClientRequest(url: base + "/\(number)"))
                        return (number, String(decoding: answer.body, as: UTF8.self))
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
        }
        #expect(answers.count == 100)
        for (number, text) in answers { #expect(text == "GET /\(number)? none none none\n") }
    }

    @Test(
        "What HTTP does not allow is refused, and the error repeats none of it",
        arguments: [
            HTTPClientRequest(url: "ftp://127.0.0.1/secret"), HTTPClientRequest(url: "file:///etc/secret"),
            HTTPClientRequest(url: "127.0.0.1/secret"), HTTPClientRequest(url: ""),
            HTTPClientRequest(url: "http://user:secret@127.0.0.1/"),
            HTTPClientRequest(url: "http://127.0.0.1:99999/secret"),
            HTTPClientRequest(url: "http://127.0.0.1/\0secret"), HTTPClientRequest(url: "http://127.0.0.1/a\r\nsecret"),
            HTTPClientRequest(url: "http://127.0.0.1/" + String(repeating: "secret", count: 2_000)),
            HTTPClientRequest(method: "GET /secret", url: "http://127.0.0.1/"),
            HTTPClientRequest(method: "", url: "http://127.0.0.1/"),
            HTTPClientRequest(url: "http://127.0.0.1/", headers: [("A", "b\r\nsecret: c")]),
            HTTPClientRequest(url: "http://127.0.0.1/", headers: [("secret: a\r\nB", "c")]),
        ]
    )
    func refused(request: HTTPClientRequest) async throws {
        let client = HTTPClient()
        defer { client.stop() }
        let error = try await failure(of: client, request)
        #expect(error.code == .invalidRequest)
        #expect(!error.mayHaveArrived)
        #expect(!error.description.contains("secret"))
    }
}
