// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import SOAPBank
import TestSupport
import Testing
import Threads
import YAML

@testable import struct SOAPBank.Credentials
@testable import struct SOAPBank.RefusedToken
@testable import class SOAPBank.TokenVerifier
@testable import struct SOAPBank.UsernameToken

struct AuthenticationTests {
    static let wsse = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"

    @Test(
        "Basic",
        arguments: [
            ("Basic YmFuazpz0Llj", 200), ("basic  YmFuazpz0Llj", 200), ("Basic YmFuazp4", 401),
            ("Bearer YmFuazpz0Llj", 401),
            ("Basic !!!", 401), ("", 401),
        ]
    )
    func basic(header: String, status: Int) async throws {
        let bank = try Bank(options: "auth: { basic: { username: bank, password: sйc } }")
        let response = await bank.post(envelope(send()), [("Authorization", header)])
        #expect(response.status == status)
        #expect(bank.intake.messages.count == (status == 200 ? 1 : 0))
        #expect(status == 200 || response.headers.contains { $0.name == "WWW-Authenticate" })
    }

    @Test(
        "WS-Security with the password as text",
        arguments: [
            ("<w:Username>bank</w:Username><w:Password>pass</w:Password>", true),
            ("<w:Username>bank</w:Username><w:Password Type='x#PasswordText'>pass</w:Password>", true),
            ("<w:Username>bank</w:Username><w:Password>Pass</w:Password>", false),
            ("<w:Username>other</w:Username><w:Password>pass</w:Password>", false),
            ("<w:Username>bank</w:Username>", false), ("", false),
            ("<w:Username>bank</w:Username><w:Password Type='x#PasswordDigest'>pass</w:Password>", false),
        ]
    )
    func text(token: String, isAccepted: Bool) async throws {
        let bank = try Bank(options: "auth: { ws_security: { username: bank, password: pass } }")
        let security = """
            <s:Header><w:Security xmlns:w='\(Self.wsse)' s:mustUnderstand='1'>\
            <w:UsernameToken>\(token)</w:UsernameToken></w:Security></s:Header>
            """
        let response = await bank.post(envelope(send(), header: security))
        #expect(response.status == (isAccepted ? 200 : 500))
        #expect(isAccepted || response.text.contains(">wsse:FailedAuthentication</faultcode>"))
        #expect(bank.intake.messages.count == (isAccepted ? 1 : 0))
    }

    @Test func withoutSecurityTheCallerIsNobody() async throws {
        let bank = try Bank(options: "auth: { ws_security: { username: bank, password: pass } }")
        #expect(await bank.post(envelope(send(), version: soap12)).status == 400)
        #expect(bank.intake.messages.isEmpty)
    }

    @Test func securityThatIsNotConfiguredMayNotBeDemanded() async throws {
        let security = "<s:Header><w:Security xmlns:w='\(Self.wsse)' s:mustUnderstand='1'/></s:Header>"
        let response = try await Bank().post(envelope(send(), header: security))
        #expect(response.text.contains("<faultcode>soap:MustUnderstand</faultcode>"))
    }

    /// A token whose digest another implementation has made.
    private static let example = UsernameToken(
        username: "bank",
        password: "tvz0EJU5AtIE0K2JgZ+pCllgDD8=",
        isDigest: true,
        nonce: "YWJj",
        created: "2026-11-30T00:07:57+00:00"
    )
    private static let exampleTime = 1_795_997_277

    private func verifier(at time: Int, door: RecordingDoorkeeper = RecordingDoorkeeper()) throws -> TokenVerifier {
        let node = try YAML.parse("{ username: bank, password: pass }", file: "f")
        return TokenVerifier(try Credentials.read(node), door: door, now: { WallTime(seconds: Int64(time)) })
    }

    private func reason(_ verifier: TokenVerifier, _ token: UsernameToken?) async throws -> CallRefusal? {
        do {
            _ = try await verifier.verify(token)
            return nil
        } catch let refused as RefusedToken {
            return refused.reason
        }
    }

    @Test func aDigestIsAcceptedOnceAtWhicheverDoor() async throws {
        let door = RecordingDoorkeeper()
        let verifier = try verifier(at: Self.exampleTime + 299, door: door)
        #expect(try await reason(verifier, Self.example) == nil)
        #expect(try await reason(verifier, Self.example) == .replayed)
        // Another module, with the same credentials and so with the same keys.
        #expect(try await reason(self.verifier(at: Self.exampleTime, door: door), Self.example) == .replayed)
    }

    @Test func aDigestIsNotAcceptedAgainWithABlankMovedFromItsNonceToItsTime() async throws {
        let verifier = try verifier(at: Self.exampleTime)
        var token = Self.example
        let created = token.created ?? ""
        let bytes = Array("abc ".utf8) + Array(created.utf8) + Array("pass".utf8)
        token.password = Base64.encode(SHA1.hash(bytes))
        token.nonce = Base64.encode(Array("abc ".utf8))
        #expect(try await reason(verifier, token) == nil)
        token.nonce = Self.example.nonce
        token.created = " " + created
        #expect(try await reason(verifier, token) == .wrong)
    }

    @Test func aNonceThatIsWrittenInAnotherWayIsTheSame() async throws {
        let verifier = try verifier(at: Self.exampleTime)
        #expect(try await reason(verifier, Self.example) == nil)
        var token = Self.example
        token.nonce = " YW\nJj "
        #expect(try await reason(verifier, token) != nil)
    }

    @Test("A digest that is old, early or changed is refused", arguments: [-301, 301])
    func digestOutOfTime(seconds: Int) async throws {
        let late = try verifier(at: Self.exampleTime + seconds)
        #expect(try await reason(late, Self.example) == .wrong)
        var changed = Self.example
        changed.created = "2026-11-30T00:07:58+00:00"
        let inTime = try verifier(at: Self.exampleTime)
        #expect(try await reason(inTime, changed) == .wrong)
        changed.created = "yesterday"
        #expect(try await reason(inTime, changed) == .wrong)
        #expect(try await reason(inTime, nil) == .missing)
    }

    /// A request with a digest of its own time.
    private func signed(nonce: String = "n1") -> String {
        let created = Timestamp.text(WallTime.now())
        let bytes = Array(nonce.utf8) + Array(created.utf8) + Array("pass".utf8)
        let security = """
            <s:Header><w:Security xmlns:w='\(Self.wsse)'><w:UsernameToken><w:Username>bank</w:Username>\
            <w:Password Type='x#PasswordDigest'>\(Base64.encode(SHA1.hash(bytes)))</w:Password>\
            <w:Nonce>\(Base64.encode(Array(nonce.utf8)))</w:Nonce><w:Created>\(created)</w:Created>\
            </w:UsernameToken></w:Security></s:Header>
            """
        return envelope(send(), header: security)
    }

    private static let options = "auth: { ws_security: { username: bank, password: pass } }"

    @Test func aReplayIsRefusedAndToldToTheDoorkeeper() async throws {
        let bank = try Bank(options: Self.options)
        let body = signed()
        #expect(await bank.post(body).status == 200)
        #expect(await bank.post(body).text.contains(">wsse:FailedAuthentication</faultcode>"))
        #expect(bank.intake.messages.count == 1)
        #expect(bank.door.refused == [.init(.replayed, "/bank")])
    }

    @Test func nobodyHearsOfSuccessWhoseTokenIsNotOnDisk() async throws {
        let response = await (try Bank(options: Self.options, door: .init(keeps: false))).post(signed())
        #expect(response.status == 503)
        #expect(response.headers.contains { $0.name == "Retry-After" })
        let full = try Bank(options: Self.options, door: .init(answering: .unavailable(retryAfter: 5)))
        #expect(await full.post(signed()).status == 503)
        #expect(full.intake.messages.isEmpty)
    }

    @Test func whoGuessesIsToldLate() async throws {
        let bank = try Bank(options: "auth: { basic: { username: bank, password: pass } }")
        let wrong = await bank.post(envelope(send()), [("Authorization", "Basic YmFuazp4")])
        #expect(wrong.delay == .seconds(1))
        #expect(await bank.post(envelope(send())).delay == .zero)
        #expect(bank.door.refused == [.init(.wrong, "/bank"), .init(.missing, "/bank")])
        #expect(await bank.post(envelope(send()), [("Authorization", "Basic YmFuazpwYXNz")]).delay == .zero)
    }

    @Test(
        "Settings",
        arguments: [
            ("path: /a", "warning: soap_bank has no 'auth'"),
            ("path: /a\nauth: { client_certificate: false }", "must be true"),
            ("path: a", "must begin with /"), ("path: /a/", "must begin with /"), ("path: /a?b", "must hold neither"),
            ("{}", "'path' is missing"), ("path: /a\nmax_body: 1", "max_body"),
            ("path: /a\nauth: { basic: {} }", "'username' is missing"),
            ("path: /a\nauth: { basic: { username: '', password: p } }", "must not be empty"),
        ]
    )
    func settings(text: String, message: String) throws {
        var registry = Registry()
        registry.register(SOAPBank.self)
        let entry = try #require(registry.module(.inbound, "soap_bank"))
        let node = try YAML.parse(text, file: "p.yaml")
        let binding = registry.bind(entry, node, at: SourceMark(file: "p.yaml"), context: SettingsContext())
        #expect(binding.diagnostics.map(String.init(describing:)).joined().contains(message))
    }

    @Test func whoWantsClientCertificatesSaysWhere() throws {
        var registry = Registry()
        registry.register(SOAPBank.self)
        let entry = try #require(registry.module(.inbound, "soap_bank"))
        let node = try YAML.parse("path: /a\nauth: { client_certificate: true }", file: "p.yaml")
        let binding = registry.bind(entry, node, at: SourceMark(file: "p.yaml"), context: SettingsContext())
        #expect(binding.diagnostics.isEmpty)
        #expect(binding.clientCertificateMark?.line == 2)
    }

    @Test("A caller without a good certificate is turned away by its head alone", arguments: [soap11, soap12])
    func clientCertificate(version: String) throws {
        let bank = try Bank(options: "auth: { client_certificate: true }")
        let admit = try #require(bank.route.admit)
        let type = version == soap12 ? "application/soap+xml" : "text/xml"
        var request = HTTPRequest(method: "POST", path: "/bank", headers: HTTPHeaders([("Content-Type", type)]))
        let refusal = try #require(admit(request))
        #expect(refusal.status == 403)
        #expect(refusal.text.contains(version))
        #expect(refusal.text.contains("Fault"))
        request.peer = HTTPPeer(isTLS: true)
        #expect(admit(request) != nil)
        request.peer = HTTPPeer(isTLS: true, certificateSubject: "CN=bank")
        #expect(admit(request) == nil)
        request = HTTPRequest(method: "GET", path: "/bank", query: "wsdl")
        #expect(admit(request) == nil)
    }
}
