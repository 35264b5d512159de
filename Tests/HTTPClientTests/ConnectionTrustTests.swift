// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import HTTP2
import Synchronization
import Testing

@testable import HTTPClient

/// One machine behind a name is sick: a request after it gets a connection of its own.
@Suite(.timeLimit(.minutes(1)))
struct ConnectionTrustTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    @Test("After silence, or three errors in a row, connections from before are not used")
    func rules() {
        var trust = ConnectionTrust()
        let usual = ConnectionTrust.Reuse()
        for count in 1...3 {
            #expect(trust.reuse(for: "a", at: start) == usual)
            trust.answered(500, from: "a", at: start)
            if count == 1 { trust.answered(404, from: "a", at: start) }
            if count == 1 { trust.answered(503, from: "a", at: start) }
        }
        #expect(trust.reuse(for: "a", at: start).isFresh)
        #expect(trust.reuse(for: "b", at: start) == usual)
        trust.answered(200, from: "a", at: start)
        #expect(trust.reuse(for: "a", at: start.adding(milliseconds: 1_999)).isFresh)
        let later = start.adding(milliseconds: 5_000)
        #expect(trust.reuse(for: "a", at: later) == ConnectionTrust.Reuse(isFresh: false, longestLife: 4))
        #expect(trust.reuse(for: "a", at: start.adding(milliseconds: 600_000)) == usual)
        trust.unanswered(by: "b", at: start)
        #expect(trust.reuse(for: "b", at: later) == ConnectionTrust.Reuse(isFresh: true, longestLife: 4))
    }

    /// A server over TLS and HTTP/2 whose first connection is sick.
    private func withSickServer(
        _ sick: HTTP2ServerAction,
        _ body: (_ client: HTTPClient, _ url: String) async throws -> Void
    ) async throws {
        let authority = try CertificateAuthority(name: "Test CA")
        let identity = try authority.server(["localhost"])
        let tls = HTTP2ServerTLS(
            certificate: Array(identity.certificate.utf8),
            key: Array(identity.privateKey.utf8)
        )
        let server = try HTTP2Server(HTTP2ServerConfiguration(tls: tls)) { request in
            request.stream.connection == 1 ? sick : .after(30_000_000, .respond(HTTP2ServerResponse(200)))
        }
        let client = HTTPClient(HTTPClientConfiguration(extraRoots: Array(authority.certificate.utf8)))
        defer {
            client.stop()
            server.stop()
        }
        try await body(client, "https://localhost:\(server.port)/")
    }

    @Test("A connection that answers nothing is not used again")
    func silent() async throws {
        try await withSickServer(.silent) { client, url in
            let error = try await failure(of: client, HTTPClientRequest(url: url, timeLimit: .milliseconds(1_200)))
            #expect(error.code == .timedOut)
            let end = ContinuousClock.now + .seconds(4)
            while ContinuousClock.now < end {
                #expect(try await client.send(HTTPClientRequest(url: url, timeLimit: .seconds(5))).status == 200)
            }
        }
    }

    @Test("A connection that answers nothing but errors is left after three")
    func failing() async throws {
        try await withSickServer(.respond(HTTP2ServerResponse(500))) { client, url in
            var statuses: [Int] = []
            for _ in 0..<5 { statuses.append(try await client.send(HTTPClientRequest(url: url)).status) }
            #expect(statuses == [500, 500, 500, 200, 200])
        }
    }
}
