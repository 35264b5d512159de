// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import TestSupport
import Testing

struct RequestTests {
    /// With the word `nil` for a target.
    private static var content: PushContent {
        var content = PushContent(badge: 0, text: "Текст для отображения в шторке телефона", type: .universal)
        content.hasNilTarget = true
        return content
    }

    static let documentedNotification = Notification(
        id: "push_id",
        recipients: [Recipient("id_user_1"), Recipient("id_user_2")],
        timeout: 1000,
        content: content,
        details: PushDetails(
            name: "Заголовок сообщения",
            logoURL: "http://www.idamob.ru/ic.png",
            description: "Текстовый блок с некоторым описанием",
            tags: [.init(key: "Период", value: "3 года"), .init(key: "Процент", value: "3%")],
            amount: .init(currency: "RUR", fxAmount: 100_000_000)
        )
    )

    @Test("The documented request, as clients write it", arguments: [soap11, soap12])
    func documentedRequest(version: String) async throws {
        let bank = try Bank()
        let response = await bank.post(envelope(OriginalDocumentation.request, version: version))
        #expect(response.status == 200)
        #expect(try bank.notification() == Self.documentedNotification)
    }

    @Test(
        "The same request in other encodings",
        arguments: [
            (String.Encoding.windowsCP1251, "text/xml; charset=\"windows-1251\"", ""),
            (.windowsCP1251, "text/xml", "<?xml version='1.0' encoding='windows-1251'?>"),
            (.windowsCP1251, "text/xml; charset='Windows-1251'", ""),
            (.utf8, "text/xml; charset='utf-8'", ""), (.utf8, "text/xml ; Charset = \"UTF-8\"; x=y", ""),
            (.utf8, "text/xml; note=\"a; charset=koi8-r\"", ""),
            (.utf16, "text/xml", ""), (.utf8, "", ""), (.utf8, "application/x-www-form-urlencoded", ""),
        ]
    )
    func encodings(encoding: String.Encoding, type: String, declaration: String) async throws {
        let bank = try Bank()
        let bytes = try #require((declaration + envelope(OriginalDocumentation.request)).data(using: encoding))
        #expect(await bank.post(Array(bytes), type).status == 200)
        #expect(try bank.notification() == Self.documentedNotification)
    }

    @Test("A wrong header and a right declaration", arguments: [(true, 200), (false, 500)])
    func trustedDeclaration(trusts: Bool, status: Int) async throws {
        let bank = try Bank(options: "trust_declaration: \(trusts)")
        let text = "<?xml version='1.0' encoding='windows-1251'?>" + envelope(OriginalDocumentation.request)
        let bytes = try #require(text.data(using: .windowsCP1251))
        #expect(await bank.post(Array(bytes), "text/xml; charset=utf-8").status == status)
        #expect(bank.intake.messages.count == (trusts ? 1 : 0))
        if trusts { #expect(try bank.notification() == Self.documentedNotification) }
    }

    @Test("Bytes that are not what header and declaration agree on stay a fault", arguments: ["UTF-8", "x-unknown"])
    func wrongDeclaration(encoding: String) async throws {
        let bank = try Bank()
        let text = "<?xml version='1.0' encoding='\(encoding)'?>" + envelope(OriginalDocumentation.request)
        let bytes = try #require(text.data(using: .windowsCP1251))
        #expect(await bank.post(Array(bytes), "text/xml; charset=utf-8").status == 500)
        #expect(bank.intake.messages.isEmpty)
    }

    @Test(
        "Ways to qualify names",
        arguments: [
            "<sendNotification>%</sendNotification>",
            "<x:sendNotification xmlns:x='\(ourNamespace)'>%</x:sendNotification>",
            "<sendNotification xmlns='\(ourNamespace)'>%</sendNotification>",
            "<!-- c --><?pi?><sendNotification xmlns:i='\(ourNamespace)'><unknown><notification/></unknown>%</sendNotification>\n",
        ]
    )
    func qualified(wrapper: String) async throws {
        let inner = send().replacing("<sendNotification>", with: "").replacing("</sendNotification>", with: "")
        let bank = try Bank()
        #expect(await bank.post(envelope(wrapper.replacing("%", with: inner))).status == 200)
        #expect(try bank.notification().id == "n1")
    }

    @Test func everyFieldIsRead() async throws {
        let bank = try Bank()
        let body = send(
            notification: """
                <priority> 8 </priority><perishable>1</perishable><timeout>\n 0</timeout><collapseId> c </collapseId>
                <recipients> u\u{a0}</recipients><recipients>\u{feff}é</recipients><id>\u{200b}n 1\n</id>
                <unknown><id>x</id></unknown>
                """,
            content: """
                <target> 12345 </target><type> PIN_CODE </type><text> a&lt;<![CDATA[<b>]]>\n</text>
                <sound>ring.caf</sound><badge>+7</badge><other/>
                """,
            more: """
                <pushDetails><name>T</name><logoUrl> http://l </logoUrl><pushDescription> d </pushDescription>
                <tags><key>k</key><value> v </value></tags><tags><key>n</key></tags><tags><value>lost</value></tags>
                <amount><fxAmount>-150</fxAmount><currency> EUR </currency></amount></pushDetails>
                """
        )
        #expect(await bank.post(envelope(body)).status == 200)
        #expect(
            try bank.notification()
                == Notification(
                    id: "n 1",
                    recipients: [Recipient("u"), Recipient("é")],
                    timeout: 0,
                    content: PushContent(
                        badge: 7,
                        sound: "ring.caf",
                        text: " a<<b>\n",
                        type: .pinCode,
                        target: "12345"
                    ),
                    details: PushDetails(
                        name: "T",
                        logoURL: "http://l",
                        description: " d ",
                        tags: [.init(key: "k", value: " v "), .init(key: "n", value: nil)],
                        amount: .init(currency: "EUR", fxAmount: -150)
                    ),
                    isPerishable: true,
                    priority: 8,
                    collapseID: "c"
                )
        )
    }

    @Test(
        "The target comes from either place; nil, empty and absent are the same",
        arguments: [
            ("", nil), ("<target>nil</target>", nil), ("<target/>", nil), ("<target> t </target>", "t"),
            ("<details><entry><key>target</key><value>m</value></entry></details>", "m"),
            ("<details><entry><value>m</value><key> target </key></entry></details><target>nil</target>", "m"),
            ("<details><entry><key>target</key></entry><entry><key>x</key><value>y</value></entry></details>", nil),
            ("<target xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'>t</target>", nil),
            ("<details><entry><key>target</key><value>t</value></entry></details><target> t</target>", "t"),
        ] as [(String, String?)]
    )
    func target(part: String, target: String?) async throws {
        let bank = try Bank()
        let content = "<badge>0</badge><text>t</text><type>MESSAGE</type>" + part
        #expect(await bank.post(envelope(send(content: content))).status == 200)
        #expect(try bank.notification().content.target == target)
    }

    @Test(
        "Details that say nothing, or the same twice",
        arguments: [
            ("<details/>", nil), ("<details>\n# details\n</details>", nil), ("<details><entry/></details>", nil),
            (
                "<details><entry><key>a</key><value>1</value></entry><entry><key>a</key><value>2</value></entry></details>",
                PushDetails(tags: [.init(key: "a", value: "2")])
            ),
            (
                "<details><entry><key>phone</key><value>+7</value></entry></details><pushDetails><name>N</name></pushDetails>",
                PushDetails(name: "N", tags: [.init(key: "phone", value: "+7")])
            ),
            (
                "<details><entry><key>currency</key><value>643</value></entry><entry><key>fxAmount</key><value>5</value></entry></details>",
                PushDetails(amount: .init(currency: "643", fxAmount: 5))
            ),
        ] as [(String, PushDetails?)]
    )
    func details(part: String, details: PushDetails?) async throws {
        let bank = try Bank()
        #expect(await bank.post(envelope(send(more: part))).status == 200)
        #expect(try bank.notification().details == details)
    }

    @Test(
        "The other operations",
        arguments: [
            ("<getNotificationDetails><id> n </id></getNotificationDetails>", Message.query(.notification("n"))),
            (
                "<a:getDeliveryStatus xmlns:a='\(ourNamespace)'><a:id>n</a:id></a:getDeliveryStatus>",
                .query(.deliveryStatus("n"))
            ),
            ("<deleteSubscription><user> u </user></deleteSubscription>", .unregistration(.user(Recipient("u")))),
            (
                "<checkSubscriptionExists><user>a</user><user>b</user></checkSubscriptionExists>",
                .query(.subscriptions([Recipient("a"), Recipient("b")]))
            ),
        ]
    )
    func operations(body: String, message: Message) async throws {
        let bank = try Bank(reply: .done)
        #expect(await bank.post(envelope(body)).status == 200)
        #expect(bank.intake.messages == [message])
    }

    @Test(
        "Headers that may be passed over",
        arguments: [
            "<x:y xmlns:x='urn:x'><x:z/></x:y>", "<x:y xmlns:x='urn:x' s:mustUnderstand='0'/>",
            "<x:y xmlns:x='urn:x' s:mustUnderstand='1' s:actor='urn:somebody-else'/>",
            "<a:Action xmlns:a='http://www.w3.org/2005/08/addressing' s:mustUnderstand='1'>x</a:Action>",
        ]
    )
    func headers(block: String) async throws {
        let bank = try Bank()
        let request = envelope(send(), header: "<s:Header>\(block)</s:Header>")
        #expect(await bank.post(request).status == 200)
        #expect(bank.intake.messages.count == 1)
    }
}
