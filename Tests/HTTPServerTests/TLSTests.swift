// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import Foundation
import HTTPClient
import HTTPServer
import Testing

/// TLS towards the server, from curl's library and from `openssl s_client`.
@Suite(.timeLimit(.minutes(1)))
struct TLSTests {
    enum Caller: CaseIterable { case nobody, stranger, expired, server, bank }

    private let authority: CertificateAuthority
    private let tls: HTTPServerTLS

    init() throws {
        authority = try CertificateAuthority(name: "busd test")
        let identity = try authority.server(["127.0.0.1"])
        tls = HTTPServerTLS(
            certificate: identity.certificate,
            key: identity.privateKey,
            clientRoots: authority.certificate
        )
    }

    private func identity(of caller: Caller) throws -> Identity? {
        switch caller {
        case .nobody: nil
        case .stranger: try CertificateAuthority(name: "busd test").client(name: "bank")
        case .expired: try authority.client(name: "bank", days: -1)
        case .server: try authority.server(["bank.example"])
        case .bank: try authority.client(name: "bank")
        }
    }

    private func client(_ identity: Identity? = nil) -> HTTPClient {
        let shown = identity.map {
            HTTPClientConfiguration.Identity(certificate: Array($0.certificate.utf8), key: Array($0.privateKey.utf8))
        }
        let roots = Array(authority.certificate.utf8)
        return HTTPClient(HTTPClientConfiguration(extraRoots: roots, identity: shown))
    }

    /// Serves only who shows a good certificate, and says who that is.
    private func guarded(_ ran: Counter) -> HTTPRoute {
        HTTPRoute(
            .exact,
            path: "/bank",
            methods: ["POST"],
            admit: { $0.peer.certificateSubject == nil ? HTTPResponse(status: 403, text: "who are you?") : nil },
            handler: { request in
                ran.add()
                let text = "\(request.peer.certificateSubject ?? "nobody") \(request.body.count)"
                return HTTPResponse(status: 200, text: text)
            }
        )
    }

    @Test func bodiesOfAllSizesComeThroughAndTheConnectionIsKept() async throws {
        try await withServer([.echo(maximumBody: 4 << 20)], tls: tls) { _, port in
            let client = client()
            defer { client.stop() }
            for size in [0, 1, 16_383, 16_384, 16_385, 100_000, 900_000] {
                let body = [UInt8](repeating: 0x61, count: size)
                let url = "https://127.0.0.1:\(port)/echo/a"
                let answer = try await client.send(HTTPClientRequest(method: "POST", url: url, body: body))
                #expect(answer.status == 200)
                #expect(answer.body.count == "POST /echo/a?\n".utf8.count + size)
            }
        }
    }

    @Test func aHundredClientsAtOnceAreServed() async throws {
        try await withServer(tls: tls) { _, port in
            let client = client()
            defer { client.stop() }
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<500 {
                    group.addTask {
                        let url = "https://127.0.0.1:\(port)/echo/\(number)"
                        return try await client.send(HTTPClientRequest(method: "POST", url: url, body: [1])).status
                    }
                }
                for try await status in group { #expect(status == 200) }
            }
        }
    }

    @Test("A route that wants the bank's certificate lets the bank in alone", arguments: Caller.allCases)
    func routes(caller: Caller) async throws {
        let ran = Counter()
        try await withServer([guarded(ran), .echo()], tls: tls) { _, port in
            let client = client(try identity(of: caller))
            defer { client.stop() }
            let base = "https://127.0.0.1:\(port)"
            let answer = try await client.send(HTTPClientRequest(method: "POST", url: base + "/bank", body: [1, 2]))
            if caller == .bank {
                #expect(answer.status == 200)
                #expect(String(decoding: answer.body, as: UTF8.self) == "CN=bank 2\n")
            } else {
                #expect(answer.status == 403)
            }
            #expect(ran.value == (caller == .bank ? 1 : 0))
            let open = try await client.send(HTTPClientRequest(method: "POST", url: base + "/echo", body: [1]))
            #expect(open.status == 200, "a route that wants none serves everybody")
        }
    }

    @Test("A refused caller hears so although no byte of its body was sent", arguments: [Caller.nobody, .expired])
    func beforeTheBody(caller: Caller) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "busd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let identity = try identity(of: caller)
        try await withServer([guarded(Counter())], tls: tls) { _, port in
            let text = try await onThread {
                let client = try OpenSSLClient(port: port, folder: folder, identity: identity)
                client.send("POST /bank HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
                return client.received()
            }
            #expect(text.hasPrefix("HTTP/1.1 403 "), "\(text)")
            #expect(text.contains("Connection: close"))
        }
    }

    @Test("Only TLS 1.2 and 1.3 are spoken", arguments: [("-tls1_1", false), ("-tls1_2", true), ("-tls1_3", true)])
    func versions(option: String, isSpoken: Bool) async throws {
        try await withServer(tls: tls) { _, port in
            let text = try await onThread {
                let options = [option, "-cipher", "DEFAULT@SECLEVEL=0"]
                let folder = FileManager.default.temporaryDirectory
                let client = try OpenSSLClient(port: port, folder: folder, options: options)
                client.send("GET /echo HTTP/1.0\r\n\r\n")
                return client.received()
            }
            #expect(text.hasPrefix("HTTP/1.") == isSpoken, "\(text)")
        }
    }

    @Test("Bytes that could be understood in two ways are refused behind TLS too")
    func strictness() async throws {
        let ran = Counter()
        try await withServer([.echo(ran: ran)], tls: tls) { _, port in
            for index in stride(from: 0, to: BadBytes.all.count, by: 4) {
                let (bytes, status) = BadBytes.all[index]
                let text = try await onThread {
                    let client = try OpenSSLClient(port: port, folder: FileManager.default.temporaryDirectory)
                    client.send(bytes + "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")
                    return client.received()
                }
                #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(bytes.debugDescription): \(text)")
            }
        }
        #expect(ran.value == 0)
    }

    @Test func clientsThatVanishInTheMiddleHarmNobody() async throws {
        try await withServer(tls: tls) { _, port in
            for _ in 0..<10 {
                try await onThread {
                    let folder = FileManager.default.temporaryDirectory
                    let vanishing = try OpenSSLClient(port: port, folder: folder)
                    let body = String(repeating: "a", count: 900_000)
                    vanishing.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n\(body)")
                    vanishing.kill()
                }
            }
            let client = client()
            defer { client.stop() }
            let url = "https://127.0.0.1:\(port)/echo"
            #expect(try await client.send(HTTPClientRequest(method: "POST", url: url, body: [1])).status == 200)
        }
    }

    @Test func plainHTTPIsNotAnsweredOnAnEncryptedListener() async throws {
        let ran = Counter()
        try await withServer([.echo(ran: ran)], tls: tls) { _, port in
            let closed = try await onThread {
                let client = try RawClient(port: port)
                try client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")
                return (try? client.answer()) == nil
            }
            #expect(closed)
            #expect(ran.value == 0)
        }
    }

    @Test func aKeyThatIsNotTheCertificatesIsAnErrorThatShowsNoneOfIt() throws {
        var wrong = tls
        wrong.key = "secret"
        let error = #expect(throws: HTTPServerError.self) {
            try HTTPServer(listen: ["127.0.0.1:0"], routes: [], tls: wrong)
        }
        #expect(error?.description.contains("secret") == false)
        #expect(error?.description.contains("certificate") == true)
    }
}
