// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
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
            ("<return>True</return>", true), ("<return>\n  FALSE\n</return>", false),
            ("<Authorized>1</Authorized>", true),
            ("<checkSubscriptionAuthorizedResult>true</checkSubscriptionAuthorizedResult>", true),
            (
                "<checkSubscriptionAuthorizedResult><Authorized>false</Authorized></checkSubscriptionAuthorizedResult>",
                false
            ),
            ("<checkSubscriptionAuthorizedReturn>true</checkSubscriptionAuthorizedReturn>", true),
        ]
    )
    func shapes(inner: String, expected: Bool) async throws {
        try await FakeBank.with(answer("checkSubscriptionAuthorized", inner)) { bank in
            let isYes = try await bank.link.ask(.isAuthorized(subject))
            #expect(isYes == expected)
        }
    }

    @Test(
        "are understood from Axis, whose answers refer to their parts",
        arguments: [
            "<r href=\"#id0\"/></b:R><multiRef id=\"id0\"><authorized href=\"#id1\"/></multiRef><multiRef id=\"id1\">true</multiRef>",
            "<return href=\"#id0\"/></b:R><multiRef id=\"id0\">true</multiRef>",
            "<checkSubscriptionAuthorizedReturn href=\"#a\"/></b:R><m id=\"a\">true</m>",
        ]
    )
    func references(inner: String) async throws {
        try await FakeBank.with(envelope("<b:R xmlns:b=\"urn:b\">\(inner)")) { bank in
            let isYes = try await bank.link.ask(.isAuthorized(subject))
            #expect(isYes)
        }
        try await FakeBank.with(envelope("<b:R xmlns:b=\"urn:b\"><return href=\"#a\"/></b:R>")) { bank in
            guard case .notUnderstood = await failure(of: .isAuthorized(subject), bank.link) else {
                Issue.record("the reference leads nowhere")
                return
            }
        }
    }

    @Test(
        "are understood behind blanks and marks that scripts print",
        arguments: ["\n", "\r\n  ", "\u{feff}", "\u{feff}\n"]
    )
    func blanks(blank: String) async throws {
        let text = "\(blank)<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + answer("x", "<return>true</return>")
        try await FakeBank.with(text) { bank in
            let isYes = try await bank.link.ask(.isAuthorized(subject))
            #expect(isYes)
        }
    }

    @Test(
        "are understood in other encodings, and in packages",
        arguments: [
            ("windows-1251", String.Encoding.windowsCP1251), ("koi8-r", koi8), ("utf-16", .utf16),
            ("iso-8859-5", .init(rawValue: 0x8000_0205)),
        ] as [(String, String.Encoding)]
    )
    func encodings(name: String, encoding: String.Encoding) async throws {
        let text = "<?xml version='1.0' encoding='\(name)'?>" + answer("x", "<note>Анна</note><return>true</return>")
        let bytes = try #require(text.data(using: encoding))
        for type in ["text/xml", "text/xml; charset=\(name)", "text/xml; charset='\(name)'"] {
            try await FakeBank.with("", bytes: Array(bytes), type: type) { bank in
                let isYes = try await bank.link.ask(.isAuthorized(subject))
                #expect(isYes)
            }
        }
        let head = Array("--b\r\nContent-Type: text/xml\r\n\r\n".utf8)
        let package = head + Array(bytes) + Array("\r\n--b--".utf8)
        try await FakeBank.with("", bytes: package, type: "multipart/related; boundary=b") { bank in
            let isYes = try await bank.link.ask(.isAuthorized(subject))
            #expect(isYes)
        }
    }

    private static let koi8 = String.Encoding(rawValue: 0x8000_0a02)

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
            fault(
                "s:Server",
                "x",
                detail: "<detail><b:fault xmlns:b=\"urn:b\" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" "
                    + "i:type=\"b:BankClientNotExistsException\"/></detail>"
            ),
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
            guard case .notUnderstood(let reason) = await failure(of: .authorize(subject), bank.link) else {
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
