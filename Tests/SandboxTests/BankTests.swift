// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import JSON
import Sandbox
import Testing

@Suite("The bank stand-in", .timeLimit(.minutes(1)))
struct BankTests {
    private static let subject = "<bankClientId>42</bankClientId><userId>anna</userId><deviceId>d1</deviceId>"

    /// Makes a call; returns status and text of the answer.
    private func call(_ fixture: SandboxFixture, _ operation: String, _ fields: String) async throws -> (Int, String) {
        let body = """
            <e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>\
            <o:\(operation) xmlns:o="http://outbound.sbi.pigeon.idamobile.com/">\(fields)</o:\(operation)>\
            </e:Body></e:Envelope>
            """
        var request = URLRequest(url: try #require(URL(string: fixture.sandbox.bank.url)))
        request.httpMethod = "POST"
        request.setValue("text/xml", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(body.utf8)
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }

    @Test("asks for a code, and knows whoever gave it from then on")
    func consent() async throws {
        let fixture = try SandboxFixture()
        let subject = Self.subject + "<platform>IOS</platform>"
        let before = try await call(fixture, "checkSubscriptionAuthorized", subject)
        #expect(before.0 == 200)
        #expect(before.1.contains("<return><authorized>false</authorized></return>"))
        #expect(try await call(fixture, "authorizeSubscription", subject).1.contains("<result>OK</result>"))
        let wrong = Self.subject + "<verificationCode>1</verificationCode>"
        let answer = try await call(fixture, "verifySubscriptionAuthorization", wrong)
        #expect(answer.1.contains("<result>VERIFICATION_FAILED</result>"))
        let right = Self.subject + "<verificationCode>123456</verificationCode>"
        #expect(try await call(fixture, "verifySubscriptionAuthorization", right).1.contains("<result>OK</result>"))
        #expect(try await call(fixture, "checkSubscriptionAuthorized", subject).1.contains(">true<"))
        #expect(fixture.sandbox.bank.calls.map(\.answer) == ["false", "OK", "VERIFICATION_FAILED", "OK", "true"])
        await fixture.stop()
    }

    @Test("refuses a call whose fields are not exactly the documented ones")
    func strictness() async throws {
        let fixture = try SandboxFixture()
        let notification = "<notificationId>n1</notificationId>"
        for (operation, fields) in [
            ("checkSubscriptionAuthorized", Self.subject), ("pushIsOpened", "<userId>a</userId>"),
            ("pushIsOpened", "<userId>a</userId><userId>b</userId>" + notification),
            ("pushIsOpened", notification + "<userId>a</userId>"), ("pushIsSeen", "<userId>a</userId>" + notification),
            ("reportNotificationExpired", notification), ("pushIsOpened", "<userId></userId>" + notification),
        ] {
            let answer = try await call(fixture, operation, fields)
            #expect(answer.0 == 500, "\(operation) \(fields)")
            #expect(answer.1.contains("<faultcode>soap:Client</faultcode>"))
        }
        let users = "<userId>a</userId><userId>b</userId>"
        #expect(try await call(fixture, "reportNotificationExpired", users + notification).0 == 200)
        #expect(try await call(fixture, "pushIsOpened", "<userId>a</userId>" + notification).0 == 200)
        await fixture.stop()
    }

    @Test("does what its script says, and tells what it was asked, over HTTP")
    func control() async throws {
        let fixture = try SandboxFixture()
        let script = """
            {"authorized":["boris"],"code":"7","unknownClients":["42"],"refused":["anna"],"down":false,"delay":1,
             "failures":[{"operation":"pushIsOpened","status":500,"fault":"Server","times":1}]}
            """
        #expect(try await fixture.control("PUT", "/bank/script", script).status == 204)
        let subject = Self.subject + "<platform>IOS</platform>"
        let unknown = try await call(fixture, "authorizeSubscription", subject)
        #expect(unknown.0 == 500)
        #expect(unknown.1.contains("BankClientNotExistsException"))
        let opened = "<userId>a</userId><notificationId>n1</notificationId>"
        #expect(try await call(fixture, "pushIsOpened", opened).0 == 500)
        #expect(try await call(fixture, "pushIsOpened", opened).0 == 200)
        let calls = try JSONValue(parsing: try await fixture.control("GET", "/bank/calls").body)["calls"]?.array
        #expect(calls?.count == 3)
        #expect(calls?.last?["fields"]?.array?.last?["value"]?.string == "n1")
        let left = try JSONValue(parsing: try await fixture.control("GET", "/bank/script").body)
        #expect(left["failures"]?.array?.first?["times"]?.integer == 0)
        #expect(try await fixture.control("PUT", "/bank/script", #"{"down":true}"#).status == 204)
        #expect(try await call(fixture, "pushIsOpened", opened).0 == 503)
        #expect(try await fixture.control("PUT", "/bank/script", #"{"dwon":true}"#).status == 422)
        #expect(try await fixture.control("DELETE", "/bank/calls").status == 204)
        #expect(fixture.sandbox.bank.calls.isEmpty)
        await fixture.stop()
    }
}
