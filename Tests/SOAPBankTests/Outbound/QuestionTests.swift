// SPDX-License-Identifier: Apache-2.0

import Bus
import SOAPBank
import Testing

@Suite("The three questions to a bank", .timeLimit(.minutes(1)))
struct QuestionTests {
    @Test(
        "have exactly the fields of the original documentation, in its order",
        arguments: [
            (
                SubscriptionQuestion.isAuthorized(subject), "checkSubscriptionAuthorized",
                "<platform>IOS</platform>", "<return>true</return>"
            ),
            (
                .authorize(subject), "authorizeSubscription",
                "<platform>IOS</platform>", "<return>OK</return>"
            ),
            (
                .verify(subject, code: "12&34"), "verifySubscriptionAuthorization",
                "<verificationCode>12&amp;34</verificationCode>", "<return>OK</return>"
            ),
        ]
    )
    func fields(question: SubscriptionQuestion, operation: String, last: String, result: String) async throws {
        try await FakeBank.with(answer(operation, result)) { bank in
            let isYes = try await bank.link.ask(question)
            #expect(isYes)
            let expected = """
                <ns2:\(operation) xmlns:ns2="http://outbound.sbi.pigeon.idamobile.com/"><bankClientId>42</bankClientId>\
                <userId>Анна</userId><deviceId>VENDOR-1</deviceId>\(last)</ns2:\(operation)></soap:Body>
                """
            #expect(bank.requests.body.contains("<soap:Body>" + expected))
            #expect(bank.requests.all[0].headers["SOAPAction"] == "\"\"")
            #expect(bank.requests.all[0].headers["Content-Type"] == "text/xml; charset=utf-8")
        }
    }

    @Test(
        "are answered in return or directly, bare or named",
        arguments: [
            ("<return>true</return>", true), ("<return> 0 </return>", false), ("<authorized>1</authorized>", true),
            ("<return><authorized>false</authorized></return>", false),
            ("<x:return xmlns:x=\"urn:y\"><x:authorized>true</x:authorized></x:return>", true),
            ("<return><note>false</note><authorized>true</authorized></return>", true),
        ]
    )
    func shapes(inner: String, expected: Bool) async throws {
        try await FakeBank.with(answer("checkSubscriptionAuthorized", inner)) { bank in
            let isYes = try await bank.link.ask(.isAuthorized(subject))
            #expect(isYes == expected)
        }
    }

    @Test(
        "tell a no from a yes",
        arguments: [
            (SubscriptionQuestion.authorize(subject), "ERROR"), (.verify(subject, code: "1"), "VERIFICATION_FAILED"),
        ]
    )
    func refusals(question: SubscriptionQuestion, result: String) async throws {
        try await FakeBank.with(answer("x", "<result>\(result)</result>")) { bank in
            let isYes = try await bank.link.ask(question)
            #expect(!isYes)
        }
    }

    @Test(
        "find the unknown client wherever a service puts it",
        arguments: [
            fault(
                "s:Server",
                "no such client",
                detail: "<detail><b:BankClientNotExistsException xmlns:b=\"urn:b\"/></detail>"
            ),
            fault("ns1:BankClientNotExistsException", "x"),
            fault("s:Server", "ru.bank.BankClientNotExistsException: 42"),
            answer("authorizeSubscription", "<BankClientNotExistsException>42</BankClientNotExistsException>"),
            envelope(
                "<s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text>x</s:Text></s:Reason>"
                    + "<s:Detail><BankClientNotExistsException/></s:Detail></s:Fault>",
                version: soap12
            ),
        ]
    )
    func unknownClient(text: String) async throws {
        try await FakeBank.with(status: 500, text) { bank in
            #expect(await failure(of: .authorize(subject), bank.link) == .unknownClient)
        }
    }

    @Test(
        "are unanswered by anything else, and the reason quotes nothing of it",
        arguments: [
            (200, "<html>secret</html>"), (200, ""), (502, "Bad Gateway secret"),
            (200, answer("x", "<result>MAYBE secret</result>")), (200, answer("x", "")),
            (200, answer("x", "<result>VERIFICATION_FAILED</result>")), (500, fault("s:Server", "secret")),
            (404, answer("x", "<result>OK</result>")), (200, envelope("")),
        ]
    )
    func noAnswer(status: Int, text: String) async throws {
        try await FakeBank.with(status: status, text) { bank in
            guard case .unreachable(let reason) = await failure(of: .authorize(subject), bank.link) else {
                Issue.record("this is no answer")
                return
            }
            #expect(!reason.isEmpty && !reason.contains("secret"))
        }
    }

    @Test("end when the bank hangs or is not there")
    func unreachable() async throws {
        let link = try FakeBank.makeLink(port: 1, "timeout: 500ms")
        guard case .unreachable(let reason) = await failure(of: .isAuthorized(subject), link) else {
            Issue.record("nobody is there")
            return
        }
        #expect(reason.contains("127.0.0.1:1"))
    }
}
