// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import HTTP2
import Testing

@testable import HTTPClient

/// TLS and HTTP/2 against the stand-in of push providers, which speaks nothing else.
@Suite(.timeLimit(.minutes(1)))
struct HTTPClientTLSTests {
    private let authority: CertificateAuthority
    private let roots: [UInt8]

    init() throws {
        authority = try CertificateAuthority(name: "busd test")
        roots = Array(authority.certificate.utf8)
    }

    private func withServer(
        name: String = "localhost",
        clientRoots: [UInt8] = [],
        _ configuration: HTTPClientConfiguration,
        _ body: (HTTPClient, _ base: String, HTTP2Server) async throws -> Void
    ) async throws {
        let identity = try authority.server([name])
        let tls = HTTP2ServerTLS(
            certificate: Array(identity.certificate.utf8),
            key: Array(identity.privateKey.utf8),
            clientRoots: clientRoots
        )
        let server = try HTTP2Server(HTTP2ServerConfiguration(tls: tls)) { request in
            let text = "\(request.method) \(request.path) \(request.clientSubject ?? "nobody")"
            return .respond(HTTP2ServerResponse(201, body: Array(text.utf8) + request.body))
        }
        defer { server.stop() }
        let client = HTTPClient(configuration)
        defer { client.stop() }
        try await body(client, "https://localhost:\(server.port)", server)
    }

    @Test func anExtraRootIsTrustedAndTheConnectionKept() async throws {
        try await withServer(HTTPClientConfiguration(extraRoots: roots)) { client, base, server in
            for _ in 0..<5 {
                let answer = try await client.send(HTTPClientRequest(method: "POST", url: base + "/a?b", body: [0x21]))
                #expect(answer.status == 201)
                #expect(String(decoding: answer.body, as: UTF8.self) == "POST /a?b nobody!")
            }
            #expect(server.counters.acceptedConnections == 1)
            for _ in 0..<2 { _ = try await client.send(HTTPClientRequest(url: base, isSentOnce: true)) }
            #expect(server.counters.acceptedConnections == 3)
        }
    }

    @Test("A stranger and another's name are not trusted", arguments: [("localhost", false), ("bank.example", true)])
    func notTrusted(name: String, knowsRoot: Bool) async throws {
        let configuration = HTTPClientConfiguration(extraRoots: knowsRoot ? roots : [])
        try await withServer(name: name, configuration) { client, base, server in
            let error = try await failure(of: client, HTTPClientRequest(url: base + "/secret"))
            #expect(error.code == .notTrusted)
            #expect(!error.mayHaveArrived)
            #expect(!error.description.contains("secret"))
            #expect(server.counters.requests == 0)
        }
    }

    @Test func aClientCertificateIsShown() async throws {
        let own = try authority.client(name: "busd")
        let identity = HTTPClientConfiguration.Identity(
            certificate: Array(own.certificate.utf8),
            key: Array(own.privateKey.utf8)
        )
        let configuration = HTTPClientConfiguration(extraRoots: roots, identity: identity)
        try await withServer(clientRoots: roots, configuration) { client, base, _ in
            let answer = try await client.send(HTTPClientRequest(url: base + "/"))
            #expect(String(decoding: answer.body, as: UTF8.self).contains("busd"))
        }
        try await withServer(clientRoots: roots, HTTPClientConfiguration(extraRoots: roots)) { client, base, server in
            let error = try await failure(of: client, HTTPClientRequest(url: base + "/"))
            #expect(server.counters.requests == 0)
            // Where the request was on its way, a reset of the connection may come before the alert.
            #expect(error.code == (error.description.contains("alert") ? .notTrusted : .broken), "\(error)")
            #expect(error.code == .broken || !error.mayHaveArrived)
        }
    }

    @Test(
        "An alert after the handshake that is about our certificate is known as that",
        arguments: [
            ("OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0", true),
            ("OpenSSL SSL_read: error:0A000412:SSL routines::sslv3 alert bad certificate, errno 0", true),
            ("OpenSSL SSL_read: error:0A000418:SSL routines::tlsv1 alert unknown ca, errno 0", true),
            ("OpenSSL SSL_read: error:0A000438:SSL routines::tlsv1 alert internal error, errno 0", false),
            ("OpenSSL SSL_read: Connection reset by peer, errno 104", false),
            ("SSL certificate problem: self-signed certificate", false),
        ]
    )
    func alert(said: String, isRefusal: Bool) {
        #expect(Transfer.isRefusal(said) == isRefusal)
    }

    @Test func aBrokenRootOrKeyIsAnErrorThatShowsNoneOfIt() async throws {
        let identity = HTTPClientConfiguration.Identity(certificate: Array("secret".utf8), key: Array("secret".utf8))
        for configuration in [
            HTTPClientConfiguration(extraRoots: Array("secret".utf8)),
            HTTPClientConfiguration(extraRoots: roots, identity: identity),
        ] {
            try await withServer(configuration) { client, base, _ in
                let error = try await failure(of: client, HTTPClientRequest(url: base + "/"))
                #expect(error.code == .notTrusted)
                #expect(!error.description.contains("secret"))
            }
        }
    }
}
