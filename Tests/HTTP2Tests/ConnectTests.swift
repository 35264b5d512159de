// SPDX-License-Identifier: Apache-2.0

import Crypto
import HTTP2
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ConnectTests {
    /// Sends one request, and returns why it was not sent.
    private func failure(of fixture: Fixture) async throws -> HTTP2Failure {
        fixture.submit(1, seconds: 10)
        let failure = try #require(await fixture.collector.results(1)[0].outcome.failure)
        #expect(fixture.pool.lastFailure == failure)
        return failure
    }

    @Test("A server of another authority is refused")
    func wrongAuthority() async throws {
        let fixture = try Fixture(server: { $0.tls = Certificates.stranger.server }) { _ in ok }
        defer { fixture.stop() }
        let failure = try await failure(of: fixture)
        #expect(failure.kind == .tls)
        #expect(
            failure.description.hasPrefix(
                "cannot connect to localhost:\(fixture.server.port): certificate verify failed: "
            )
        )
        #expect(fixture.server.counters.requests == 0)
    }

    @Test("A server of another name is refused")
    func wrongName() async throws {
        let fixture = try Fixture(server: { $0.tls = Certificates.shared.misnamed }) { _ in ok }
        defer { fixture.stop() }
        let failure = try await failure(of: fixture)
        #expect(failure.kind == .tls)
        #expect(failure.description.hasSuffix("certificate verify failed: hostname mismatch"))
    }

    @Test("A server without HTTP/2 is refused")
    func noALPN() async throws {
        let fixture = try Fixture(server: { $0.tls?.offersHTTP2 = false }) { _ in ok }
        defer { fixture.stop() }
        let failure = try await failure(of: fixture)
        #expect(failure.kind == .tls)
        #expect(failure.description.hasSuffix("the server offers no HTTP/2 (ALPN h2)"))
    }

    @Test("Nobody listening is told once patience has ended")
    func refused() async throws {
        let fixture = try Fixture(client: { $0.connectPatience = 50_000_000 }) { _ in ok }
        defer { fixture.stop() }
        fixture.server.stop()
        let failure = try await failure(of: fixture)
        #expect(failure.kind == .connect)
        #expect(failure.description == "cannot connect to localhost:\(fixture.server.port): connection refused")
    }

    @Test("Requests wait for a server that comes back")
    func comesBack() async throws {
        let fixture = try Fixture(client: { $0.connectPatience = 60_000_000_000 }) { _ in ok }
        defer { fixture.stop() }
        fixture.server.stop()
        fixture.submit(10, seconds: 60)
        try await until { fixture.pool.lastFailure != nil }
        var configuration = HTTP2ServerConfiguration(port: fixture.server.port)
        configuration.tls = Certificates.shared.server
        let second = try HTTP2Server(configuration) { _ in ok }
        defer { second.stop() }
        let results = await fixture.collector.results(10)
        #expect(results.allSatisfy { $0.outcome.status == 200 })
        #expect(fixture.pool.lastFailure == nil)
    }

    @Test("A name that does not exist is told")
    func noSuchName() async throws {
        let fixture = try Fixture(client: {
            $0.host = "no-such-host.invalid"
            $0.connectPatience = 0
        }) { _ in ok }
        defer { fixture.stop() }
        #expect(try await failure(of: fixture).kind == .connect)
    }

    @Test("A client certificate is shown, and its subject reaches the handler", arguments: [true, false])
    func clientCertificate(isShown: Bool) async throws {
        let certificates = Certificates.shared
        let fixture = try Fixture(
            server: { $0.tls?.clientRoots = certificates.authority },
            client: {
                guard isShown else { return }
                $0.tls?.certificate = Array(certificates.client.certificate.utf8)
                $0.tls?.key = Array(certificates.client.privateKey.utf8)
            },
            handler: { .respond(HTTP2ServerResponse(200, body: Array(($0.clientSubject ?? "").utf8))) }
        )
        defer { fixture.stop() }
        if isShown {
            fixture.submit(1)
            guard case .response(let response) = await fixture.collector.results(1)[0].outcome else {
                Issue.record("no response")
                return
            }
            #expect(String(decoding: response.body, as: UTF8.self).contains("CN=bank"))
        } else {
            #expect(try await failure(of: fixture).kind == .tls)
        }
    }

    @Test("Certificates and keys that are none are refused when the pool is made")
    func badFiles() {
        let loop = HTTP2Loop()
        defer { loop.stop() }
        let client = Certificates.shared.client
        for tls in [
            HTTP2ClientTLS(extraRoots: [1, 2, 3]),
            HTTP2ClientTLS(certificate: [1, 2, 3]),
            HTTP2ClientTLS(certificate: Array(client.certificate.utf8)),
            HTTP2ClientTLS(certificate: Array(client.certificate.utf8), key: Certificates.shared.server.key),
        ] {
            #expect(throws: HTTP2Failure.self) {
                try HTTP2Pool(on: loop, HTTP2PoolConfiguration(host: "localhost", port: 1, tls: tls)) { _ in }
            }
        }
    }
}
