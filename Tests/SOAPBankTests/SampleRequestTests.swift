// SPDX-License-Identifier: Apache-2.0

import Bus
import TestSupport
import Testing
import Unicode

@Suite("Requests as tools fill them in")
struct SampleRequestTests {
    /// What SoapUI makes of the WSDL with optional elements, once required fields are filled in.
    private static let soapUI = """
        <inb:sendNotification xmlns:inb="\(ourNamespace)"><notification>
          <!--Optional:--><details><!--Zero or more repetitions:--><entry><key>?</key><value>?</value></entry></details>
          <id>n1</id>
          <!--Optional:--><perishable>?</perishable><!--Optional:--><priority>?</priority>
          <pushContent><badge>0</badge>
            <!--Optional:--><details><entry><key>?</key><value>?</value></entry></details>
            <!--Optional:--><sound>?</sound><text>Hello</text><type>UNIVERSAL</type><!--Optional:--><target>?</target>
          </pushContent>
          <!--1 or more repetitions:--><recipients>u1</recipients>
          <timeout>1000</timeout>
          <!--Optional:--><collapseId>?</collapseId>
          <!--Optional:--><pushDetails><amount><currency>?</currency><fxAmount>?</fxAmount></amount><logoUrl>?</logoUrl>
            <name>?</name><pushDescription>?</pushDescription><tags><key>?</key><value>?</value></tags></pushDetails>
        </notification></inb:sendNotification>
        """

    private static let plain = Notification(
        id: "n1",
        recipients: [Recipient("u1")],
        timeout: 1000,
        content: PushContent(badge: 0, text: "Hello", type: .universal)
    )

    @Test("optional fields that hold nothing, or SoapUI's question mark, are as left out", arguments: ["?", "", " ? "])
    func optional(filler: String) async throws {
        let bank = try Bank()
        let response = await bank.post(envelope(Self.soapUI.replacing(">?<", with: ">\(filler)<")))
        #expect(response.status == 200, "\(response.text)")
        #expect(try bank.notification() == Self.plain)
    }

    @Test("an optional field with anything else is not", arguments: ["perishable", "priority"])
    func notOptional(name: String) async throws {
        let bank = try Bank()
        #expect(await bank.post(envelope(send(more: "<\(name)>??</\(name)>"))).status == 500)
    }

    @Test("a question mark in a text is a text")
    func text() async throws {
        let bank = try Bank()
        let content = "<badge>0</badge><text>?</text><type>UNIVERSAL</type>"
        let details = "<details><entry><key>q</key><value>?</value></entry></details>"
        #expect(await bank.post(envelope(send(content: content, more: details))).status == 200)
        #expect(try bank.notification().content.text == "?")
        #expect(try bank.notification().details?.tags == [.init(key: "q", value: "?")])
    }

    @Test("empty users beside good ones do not count", arguments: ["<recipients/>", "<recipients> \n</recipients>"])
    func emptyUsers(empty: String) async throws {
        let bank = try Bank()
        let fields = "<id>n1</id>\(empty)<recipients>u1</recipients>\(empty)<timeout>1000</timeout>"
        #expect(await bank.post(envelope(send(notification: fields))).status == 200)
        #expect(try bank.notification().recipients == [Recipient("u1")])
        let question = "<checkSubscriptionExists><user/><user>u</user></checkSubscriptionExists>"
        let asked = try Bank(reply: .exists(true))
        #expect(await asked.post(envelope(question)).status == 200)
        #expect(asked.intake.messages == [.query(.subscriptions([Recipient("u")]))])
    }

    @Test(
        "what cannot be seen at the ends of an id is no part of it",
        arguments: [
            "\u{200e}", "\u{200f}", "\u{61c}", "\u{202a}", "\u{202c}", "\u{2066}", "\u{2069}", "\u{feff}", "\u{2003}",
            "\u{3000}", "\u{2028}", "\u{85}", "\u{202f}", "\u{180e}", "\u{2060}", "\u{a0}",
        ]
    )
    func invisible(mark: String) async throws {
        let bank = try Bank()
        let fields =
            "<id>\(mark)n1 \(mark)</id><recipients>\(mark)u\(mark)1\(mark)</recipients><timeout>\(mark)1</timeout>"
        #expect(await bank.post(envelope(send(notification: fields))).status == 200)
        #expect(try bank.notification().id == "n1")
        #expect(try bank.notification().recipients == [Recipient(RecipientID("u\(mark)1"))])
        #expect(
            await bank.post(envelope(send(notification: "<id>\(mark)</id>"))).faultString == "notification.id is empty"
        )
    }
}
