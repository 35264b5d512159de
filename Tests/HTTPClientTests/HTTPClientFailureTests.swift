// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPClientFailureTests {
    @Test func aRefusedConnectionSaysWhereAndNothingElse() async throws {
        let port = try LoopbackSocket.unusedPort()
        let client = HTTPClient()
        defer { client.stop() }
        let error = try await failure(of: client, HTTPClientRequest(url: "http://127.0.0.1:\(port)/secret?pin=1234"))
        #expect(error.code == .cannotConnect)
        #expect(!error.mayHaveArrived)
        #expect(error.description.hasPrefix("http://127.0.0.1:\(port): "))
        #expect(!error.description.contains("secret") && !error.description.contains("1234"))
    }

    @Test func anUnknownHostCannotBeConnectedTo() async throws {
        let client = HTTPClient()
        defer { client.stop() }
        let error = try await failure(of: client, HTTPClientRequest(url: "http://nowhere.invalid/secret"))
        #expect(error.code == .cannotConnect)
        #expect(!error.mayHaveArrived)
    }

    @Test func theTimeLimitEndsASilentRequest() async throws {
        let gate = HandlerGate()
        defer { gate.open() }
        let error = try await withClient(HTTPClientConfiguration(), gate.handler) { client, base in
            try await failure(of: client, HTTPClientRequest(url: base + "/?secret", timeLimit: .milliseconds(100)))
        }
        #expect(error.code == .timedOut)
        #expect(error.mayHaveArrived)
        #expect(!error.description.contains("secret"))
    }

    @Test func oneThatWaitsForItsTurnTimesOutToo() async throws {
        let gate = HandlerGate()
        defer { gate.open() }
        let configuration = HTTPClientConfiguration(concurrentRequests: 1)
        let error = try await withClient(configuration, gate.handler) { client, base in
            async let first = client.send(HTTPClientRequest(url: base + "/"))
            await gate.waitForArrival()
            let error = try await failure(of: client, HTTPClientRequest(url: base + "/", timeLimit: .milliseconds(50)))
            gate.open()
            let answer = try await first
            #expect(answer.status == 200)
            return error
        }
        #expect(error.code == .timedOut)
        #expect(!error.mayHaveArrived)
    }

    @Test func oneMoreThanMayWaitIsRefusedAtOnce() async throws {
        let gate = HandlerGate()
        defer { gate.open() }
        let configuration = HTTPClientConfiguration(concurrentRequests: 1, waitingRequests: 0)
        try await withClient(configuration, gate.handler) { client, base in
            async let first = client.send(HTTPClientRequest(url: base + "/"))
            await gate.waitForArrival()
            let error = try await failure(of: client, HTTPClientRequest(url: base + "/"))
            #expect(error.code == .overloaded)
            gate.open()
            let answer = try await first
            #expect(answer.status == 200)
            #expect(try await client.send(HTTPClientRequest(url: base + "/")).status == 200)
        }
    }

    @Test("An answer above the limit is cut off", arguments: [(99, false), (100, true)])
    func tooLarge(limit: Int, isWhole: Bool) async throws {
        let handler: @Sendable (HTTPRequest) async -> HTTPResponse = { _ in
            HTTPResponse(status: 200, body: [UInt8](repeating: 0x61, count: 100))
        }
        try await withClient(HTTPClientConfiguration(), handler) { client, base in
            let request = HTTPClientRequest(url: base + "/", responseLimit: limit)
            if isWhole {
                #expect(try await client.send(request).body.count == 100)
            } else {
                let error = try await failure(of: client, request)
                #expect(error.code == .tooLarge)
                #expect(error.mayHaveArrived)
            }
        }
    }

    @Test func aCancelledTaskDoesNotWaitForTheAnswer() async throws {
        let gate = HandlerGate()
        defer { gate.open() }
        try await withClient(HTTPClientConfiguration(), gate.handler) { client, base in
            let task = Task { try await failure(of: client, HTTPClientRequest(url: base + "/")) }
            await gate.waitForArrival()
            task.cancel()
            let error = try await task.value
            #expect(error.code == .cancelled)
            #expect(error.mayHaveArrived)
            let late = Task { try await failure(of: client, HTTPClientRequest(url: base + "/")) }
            late.cancel()
            #expect(try await late.value.code == .cancelled)
        }
    }

    @Test func stoppingEndsWhatIsOnItsWayAndRefusesTheRest() async throws {
        let gate = HandlerGate()
        defer { gate.open() }
        try await withClient(HTTPClientConfiguration(), gate.handler) { client, base in
            let task = Task { try await failure(of: client, HTTPClientRequest(url: base + "/")) }
            await gate.waitForArrival()
            client.stop()
            let ended = try await task.value
            #expect(ended.code == .stopped)
            let refused = try await failure(of: client, HTTPClientRequest(url: base + "/"))
            #expect(refused.code == .stopped)
        }
    }

    @Test(
        "What is no HTTP is an error, not a crash",
        arguments: [
            ("", HTTPClientError.Code.broken), ("SSH-2.0-OpenSSH\r\n", .broken), ("HTTP/1.1 2\r\n\r\n", .broken),
            ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", .broken),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .broken),
            (
                "HTTP/1.1 200 OK\r\n" + String(repeating: "A: \(String(repeating: "b", count: 1_000))\r\n", count: 100),
                .tooLarge
            ),
        ]
    )
    func hostile(answer: String, code: HTTPClientError.Code) async throws {
        let farEnd = try FakeFarEnd(answers: [answer])
        let client = HTTPClient()
        defer { client.stop() }
        let error = try await failure(of: client, HTTPClientRequest(url: "http://127.0.0.1:\(farEnd.port)/"))
        #expect(error.code == code, "\(error)")
        #expect(error.mayHaveArrived)
    }

    @Test func interimAnswersAreNotTheAnswer() async throws {
        let interim = "HTTP/1.1 103 Early Hints\r\nX-A: 1\r\n\r\n"
        let farEnd = try FakeFarEnd(answers: [interim + "HTTP/1.1 202 Yes\r\nX-B:  2 \r\nContent-Length: 2\r\n\r\nok"])
        let client = HTTPClient()
        defer { client.stop() }
        let answer = try await client.send(HTTPClientRequest(url: "http://127.0.0.1:\(farEnd.port)/"))
        #expect(answer.status == 202)
        #expect(answer.headers["X-A"] == nil)
        #expect(answer.headers["X-B"] == "2")
        #expect(answer.body == Array("ok".utf8))
    }
}
