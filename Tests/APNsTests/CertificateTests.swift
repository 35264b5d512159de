// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import Foundation
import HTTP2
import PushService
import PushTesting
import Testing

@testable import APNs

@Suite(.timeLimit(.minutes(1)))
struct CertificateTests {
    private static let files: [(String, String?)] = [
        ("modern.p12", PushCertificate.password), ("legacy.p12", PushCertificate.password), ("open.p12", nil),
        ("open.p12", ""), ("push.pem", nil), ("locked.pem", PushCertificate.password),
    ]

    private func read(_ name: String, _ password: String?) throws -> ClientCertificate {
        _ = PushCertificate.shared
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: Secrets.shared.path(name))))
        return try ClientCertificate(file: bytes, password: password)
    }

    @Test("A certificate says whose it is and what for, whatever file it comes in", arguments: files)
    func facts(name: String, password: String?) throws {
        let certificate = try read(name, password)
        #expect(certificate.facts.userID == "com.megabank.retail")
        let topics = PushTopics(certificate.facts)
        #expect(topics.usual == "com.megabank.retail")
        #expect(topics.all == ["com.megabank.retail", "com.megabank.retail.voip"])
        let year = certificate.facts.notAfter - Int64(Date.now.timeIntervalSince1970)
        #expect((364 * 86_400...365 * 86_400).contains(year))
        #expect(certificate.privateKey.hasPrefix("-----BEGIN PRIVATE KEY-----"))
    }

    @Test("A client with a certificate is known by it, sends no token and needs no topic", arguments: files)
    func mutual(name: String, password: String?) async throws {
        let roots = PushCertificate.shared.certificate
        let secret = password.map { ", password: \"\($0)\"" } ?? ""
        let auth = "{ certificate: { path: \(Secrets.shared.path(name))\(secret) } }"
        let fixture = try Fixture(auth: auth, topic: nil, clientRoots: roots)
        #expect(await fixture.send([delivery()]) == [1: .accepted])
        let request = try #require(fixture.requests.all.first)
        #expect(request.clientSubject?.contains("com.megabank.retail") == true)
        #expect(request.header("authorization") == nil)
        #expect(request.header("apns-topic") == "com.megabank.retail")
    }

    @Test("A server that wants another certificate makes the channel unavailable or unreachable, never loses a push")
    func refused() async throws {
        let fixture = try Fixture(clientRoots: PushCertificate.shared.certificate)
        fixture.channel.send([delivery(1, seconds: 2)], to: fixture.collector)
        switch await fixture.collector.outcomes(1)[1] {
        case .unavailable, .retry(_, .provider, _): break
        case let other: Issue.record("\(String(describing: other))")
        }
    }

    @Test(
        "Topics that are no DER are no topics",
        arguments: [[], [0x30], [0x30, 0x84], [0x30, 5, 0x0c, 9], [0x0c, 1, 65]]
    )
    func damaged(bytes: [UInt8]) {
        var reader = DERReader(bytes[...])
        while let (_, content) = reader.next() {
            var inner = DERReader(content)
            while inner.next() != nil {}
        }
    }
}
