// SPDX-License-Identifier: Apache-2.0

import Bus
import MobileApp
import TestSupport
import Testing

struct VerificationTests {
    private static let code = #"{"userId":" ivanov ","code":" 1234 "}"#

    @Test("A registration carries who must agree to it", arguments: ["none", "bank"])
    func authorization(text: String) async throws {
        let settings = Mobile.oneApp.replacing("authorization: none", with: "authorization: \(text)")
        let mobile = try Mobile(.verificationRequired, settings: settings)
        let answer = await mobile.call("POST", "/devices", body: registration(["bankClientId": #""42""#]))
        #expect(answer.status == 202)
        #expect(answer.text == #"{"state":"VERIFICATION_REQUIRED"}"#)
        guard case .registration(let registration) = mobile.intake.messages.first else {
            Issue.record("no registration")
            return
        }
        #expect(registration.authorization.rawValue == text)
        #expect(registration.bankClientID == "42")
    }

    @Test("A code needs neither secret nor app, and ends in a secret that no cache keeps")
    func verified() async throws {
        let mobile = try Mobile(.subscribed(subscriber: "s1", secret: "hush"), settings: Mobile.twoApps)
        let answer = await mobile.call("POST", "/devices/phone%2F1/verification", body: Self.code)
        #expect(answer.status == 201)
        #expect(answer.text == #"{"state":"SUBSCRIBED","subscriberId":"s1","secret":"hush"}"#)
        #expect(answer.header("Cache-Control") == "no-store")
        let verification = Verification(app: nil, user: Recipient("ivanov"), deviceID: "phone/1", code: "1234")
        #expect(mobile.intake.messages == [.verification(verification)])
        let body = #"{"appId":"biz","userId":"ivanov","code":"1"}"#
        _ = await mobile.call("POST", "/devices/d/verification", body: body)
        guard case .verification(let named) = mobile.intake.messages.last else {
            Issue.record("no verification")
            return
        }
        #expect(named.app == "biz")
    }

    @Test(
        "What is wrong with a code's call is named",
        arguments: [
            (#"{"userId":"ivanov"}"#, 422, ["code"]), (#"{"code":"1"}"#, 422, ["userId"]),
            (#"{"userId":"ivanov","code":""}"#, 422, ["code"]), (#"{"userId":"ivanov","code":7}"#, 422, ["code"]),
            (#"{"userId":"u","code":"1","appId":"other"}"#, 404, []), ("{", 400, []),
        ]
    )
    func faults(body: String, status: Int, paths: [String]) async throws {
        let mobile = try Mobile()
        let answer = await mobile.call("POST", "/devices/d/verification", body: body)
        #expect(answer.status == status)
        #expect(answer.faults.map(\.path) == paths)
        #expect(mobile.intake.messages.isEmpty)
    }

    @Test("Where the bank answered it is not said that it did not")
    func bankAnswered() async throws {
        let mobile = try Mobile(.bankNotUnderstood("the bank answered HTTP 200 with an HTML page"))
        let answer = await mobile.call("POST", "/devices", body: registration())
        #expect(answer.text.contains("the bank answered HTTP 200 with an HTML page; nothing was registered"))
    }

    @Test(
        "What the bank says becomes a problem document",
        arguments: [
            (Reply.verificationFailed, 403, "VERIFICATION_FAILED"), (.notFound, 404, "ENTITY_NOT_FOUND"),
            (.unknownClient, 404, "BankClientNotExistsException"), (.bankUnreachable, 502, "BANK_UNREACHABLE"),
            (.bankNotUnderstood("the bank answered HTTP 200 with an HTML page"), 502, "BANK_UNREACHABLE"),
            (.gatewayUnreachable, 502, "GATEWAY_UNREACHABLE"),
            (.authorizationFailed, 502, "AUTHORIZATION_FAILED"),
            (.tooManyTries(retryAfter: 60), 429, "TOO_MANY_TRIES"),
        ]
    )
    func replies(reply: Reply, status: Int, code: String) async throws {
        let mobile = try Mobile(reply)
        for answer in [
            await mobile.call("POST", "/devices", body: registration()),
            await mobile.call("POST", "/devices/d/verification", body: Self.code),
        ] {
            #expect(answer.isProblem(status, code), "\(answer.text)")
            #expect(answer.header("Retry-After") == (status == 429 ? "60" : nil))
            #expect(!answer.text.contains("1234"))
        }
        #expect(mobile.logged.all.isEmpty)
    }
}
