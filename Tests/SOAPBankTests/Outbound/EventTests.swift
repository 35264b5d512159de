// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import SOAPBank
import Testing
import YAML

@Suite("What a bank is told", .timeLimit(.minutes(1)))
struct EventTests {
    @Test(
        "has the operation and the fields of the original documentation",
        arguments: [
            (
                BankEvent(.expired, "u1", "u&2"), "reportNotificationExpired",
                "<userId>u1</userId><userId>u&amp;2</userId>"
            ),
            (BankEvent(.opened, "u1"), "pushIsOpened", "<userId>u1</userId>"),
            (BankEvent(.delivered, "u1"), "pushIsDelivered", "<userId>u1</userId>"),
            (BankEvent(.failed, "u1"), "reportNotificationFailed", "<userId>u1</userId>"),
        ]
    )
    func calls(event: BankEvent, operation: String, users: String) async throws {
        try await FakeBank.with(answer(operation, ""), options: "namespace: \"urn:bank?a&b\"") { bank in
            #expect(await bank.outcome(of: event) == .accepted)
            let inner = "\(users)<notificationId>n&lt;1&gt;</notificationId>"
            let call = "<ns2:\(operation) xmlns:ns2=\"urn:bank?a&amp;b\">\(inner)</ns2:\(operation)>"
            #expect(bank.requests.body.contains(call))
        }
    }

    @Test(
        "waits for the one event, for the bank, or for the operator, as the answer says",
        arguments: [
            (204, "", "accepted"), (202, " \n", "accepted"), (202, envelope(""), "accepted"),
            (200, envelope(""), "accepted"), (200, answer("pushIsOpened", "<return>OK</return>"), "accepted"),
            (200, answer("whatever", "", version: soap12), "accepted"),
            (200, "", "provider"), (201, "", "provider"), (202, "<html/>", "provider"), (200, "secret", "provider"),
            (200, "<!DOCTYPE html><html><body>secret</body></html>", "provider"),
            (200, "{\"a\": \"secret\"}", "provider"),
            (200, "<x>secret</x>", "provider"), (200, "<s:Envelope xmlns:s='\(soap11)'/>", "provider"),
            (200, envelope("<x:pushIsOpened xmlns:x='urn:x'>secret</x:pushIsOpened>"), "provider"),
            (200, String(envelope("").dropLast()), "provider"), (200, fault("s:Server", "secret"), "provider"),
            (202, fault("s:Server", "secret"), "provider"), (200, fault("s:Client", "secret"), "delivery"),
            (200, fault("wsse:FailedAuthentication", "secret"), "unavailable"),
            (200, fault("s:Server", "ru.bank.BankClientNotExistsException"), "delivery"),
            (500, fault("soap:Client.Authentication", "secret"), "unavailable"),
            (500, fault("ns1:SecurityError", "secret"), "unavailable"), (503, "", "provider"),
            (500, "<html/>", "provider"),
            (500, fault("s:Server", "secret"), "provider"), (500, fault("s:Client", "secret"), "delivery"),
            (400, "", "delivery"), (429, "", "provider"), (401, "", "unavailable"), (404, "", "unavailable"),
            (302, "", "unavailable"), (500, fault("wsse:FailedAuthentication", "secret"), "unavailable"),
        ]
    )
    func outcomes(status: Int, text: String, expected: String) async throws {
        try await FakeBank.with(status: status, text) { bank in
            let outcome = await bank.outcome(of: BankEvent(.opened, "u1"))
            #expect("\(outcome)".contains(expected), "\(outcome)")
            #expect(!"\(outcome)".contains("secret"))
        }
    }

    @Test(
        "says what the bank answered in its place, and repeats nothing of it",
        arguments: [
            (200, "<!doctype HTML><html>secret", "the bank answered HTTP 200 with an HTML page"),
            (200, "", "the bank answered HTTP 200 with an empty body"),
            (200, "[\"secret\"]", "the bank answered HTTP 200 with JSON"),
            (502, "secret", "the bank answered HTTP 502 with something that is no SOAP"),
            (200, "<secret/>", "the bank answered HTTP 200 with XML that is no answer in SOAP"),
            (200, fault("s:Client", "secret"), "the bank answered HTTP 200 with a fault: it finds fault with the call"),
        ]
    )
    func reasons(status: Int, text: String, reason: String) async throws {
        try await FakeBank.with(status: status, text) { bank in
            guard case .retry(_, _, let found) = await bank.outcome(of: BankEvent(.opened, "u1")) else {
                Issue.record("it must be tried again")
                return
            }
            #expect(found == reason)
        }
    }

    @Test("waits as long as the bank asks")
    func retryAfter() async throws {
        try await FakeBank.with(status: 503, "", headers: [("Retry-After", "7")]) { bank in
            guard case .retry(let after, let scope, _) = await bank.outcome(of: BankEvent(.opened, "u1")) else {
                Issue.record("it must be tried again")
                return
            }
            #expect(after == 7_000)
            #expect(scope == .provider)
        }
    }

    @Test("waits for a bank that is not there")
    func nobody() async throws {
        let outcome = await told(BankEvent(.opened, "u1"), try FakeBank.makeLink(port: 1))
        guard case .retry(_, .provider, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test("carries the credentials of the settings")
    func basic() async throws {
        let options = "auth: { basic: { username: busd, password: \"пароль\" } }"
        try await FakeBank.with(answer("x", ""), options: options) { bank in
            _ = await bank.outcome(of: BankEvent(.opened, "u1"))
            let expected = Data("busd:пароль".utf8).base64EncodedString()
            #expect(bank.requests.all[0].headers["Authorization"] == "Basic \(expected)")
        }
    }

    @Test("carries a WS-Security token that our own inbound adapter accepts", arguments: [true, false])
    func wsSecurity(isDigest: Bool) async throws {
        let credentials = "username: busd, password: p<ss"
        let options = "auth: { ws_security: { \(credentials), digest: \(isDigest) } }\n"
        try await FakeBank.with(answer("x", ""), options: options) { bank in
            _ = await bank.outcome(of: BankEvent(.opened, "u1"))
            let sent = bank.requests.body
            #expect(sent.contains("p&lt;ss") != isDigest)
            let start = try #require(sent.range(of: "<soap:Header>"))
            let end = try #require(sent.range(of: "</soap:Header>"))
            let header = sent[start.lowerBound..<end.upperBound]
            let request = """
                <soap:Envelope xmlns:soap="\(soap11)">\(header)<soap:Body><deleteSubscription><user>u</user>\
                </deleteSubscription></soap:Body></soap:Envelope>
                """
            let inbound = try Bank(reply: .done, options: "auth: { ws_security: { \(credentials) } }")
            #expect(await inbound.post(request).status == 200)
            let stranger = try Bank(reply: .done, options: "auth: { ws_security: { username: busd, password: other } }")
            #expect(await stranger.post(request).status == 500)
        }
    }

    @Test(
        "needs settings that make sense",
        arguments: [
            ("url: bank/service", "must begin with http:// or https://"),
            ("url: http://user:secret@bank/", "no user or password"), ("url: \"http://\"", "must be a URL"),
            ("url: http://bank/\nevents: [opend]", "did you mean 'opened'"),
            ("url: http://bank/\ntimeout: 10", "did you mean"),
        ]
    )
    func settings(text: String, message: String) throws {
        let error = #expect(throws: (any Error).self) {
            try SOAPBankLinkSettings.read(YAML.parse(text, file: "p.yaml"))
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains(message))
        #expect(!"\(error.map { "\($0)" } ?? "")".contains("secret"))
    }

    @Test(
        "is doubted where a password would go over the wire",
        arguments: [
            ("http://bank/", true), ("https://bank/", false), ("http://127.0.0.1:1/", false),
        ]
    )
    func clearText(url: String, isDoubted: Bool) throws {
        let text = "url: \"\(url)\"\nauth: { basic: { username: a, password: b } }"
        let settings = try SOAPBankLinkSettings.read(YAML.parse(text, file: "p.yaml"))
        var check = ModuleCheck(mark: SourceMark(file: "p.yaml")) { _ throws(SettingsProblem) in [] }
        SOAPBankLink.check(settings, &check)
        #expect(check.diagnostics.isEmpty != isDoubted)
    }
}
