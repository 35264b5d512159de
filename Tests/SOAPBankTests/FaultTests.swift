// SPDX-License-Identifier: Apache-2.0

import Bus
import TestSupport
import Testing

struct FaultTests {
    @Test(
        "What is wrong with a notification is said",
        arguments: [
            (send(notification: "<recipients>u</recipients><timeout>1</timeout>"), "notification.id is missing"),
            (
                send(notification: "<id> </id><recipients>u</recipients><timeout>1</timeout>"),
                "notification.id is empty"
            ),
            (
                send(
                    notification:
                        "<id>\(String(repeating: "я", count: 128))</id><recipients>u</recipients><timeout>1</timeout>"
                ),
                "notification.id is longer than 255 bytes"
            ),
            (send(notification: "<id>n</id><timeout>1</timeout>"), "notification.recipients is missing"),
            (send(notification: "<id>n</id><recipients/><timeout>1</timeout>"), "notification.recipients is empty"),
            (send(notification: "<id>n</id><recipients>u</recipients>"), "notification.timeout is missing"),
            (
                send(notification: "<id>n</id><recipients>u</recipients><timeout>-1</timeout>"),
                "notification.timeout must be a whole number from 0 to 2147483647"
            ),
            (
                send(notification: "<id>n</id><recipients>u</recipients><timeout>2147483648</timeout>"),
                "notification.timeout must be a whole number from 0 to 2147483647"
            ),
            (
                send(notification: "<id>n</id><recipients>u</recipients><timeout/>"),
                "notification.timeout must be a whole number from 0 to 2147483647"
            ),
            (
                send(notification: "<id>n</id><id>n</id><recipients>u</recipients><timeout>1</timeout>"),
                "notification.id is repeated"
            ),
            (send(more: "<priority>11</priority>"), "notification.priority must be a whole number from 0 to 10"),
            (send(more: "<perishable>yes</perishable>"), "notification.perishable must be true or false"),
            (send(more: "<pushContent/>"), "notification.pushContent is repeated"),
            (send(more: "<details/><details/>"), "notification.details is repeated"),
            (send(more: "<collapseId><b/></collapseId>"), "notification.collapseId must hold text only"),
            ("<sendNotification/>", "notification is missing"),
            ("<sendNotification><notification/></sendNotification>", "notification.id is missing"),
            (
                "<sendNotification><notification><id>n</id><recipients>u</recipients><timeout>1</timeout></notification></sendNotification>",
                "notification.pushContent is missing"
            ),
            (send(content: "<badge>0</badge><type>URL</type>"), "notification.pushContent.text is missing"),
            (send(content: "<badge>0</badge><text/><type>URL</type>"), "notification.pushContent.text is empty"),
            (send(content: "<badge>0</badge><text>t</text>"), "notification.pushContent.type is missing"),
            (
                send(content: "<badge>0</badge><text>t</text><type>pin</type>"),
                "notification.pushContent.type must be one of UNIVERSAL, PRODUCT, FORM, SHOW_MAP, URL, PIN_CODE, MESSAGE"
            ),
            (send(content: "<text>t</text><type>MESSAGE</type>"), "notification.pushContent.badge is missing"),
            (
                send(content: "<badge>-1</badge><text>t</text><type>MESSAGE</type>"),
                "notification.pushContent.badge must be a whole number from 0 to 2147483647"
            ),
            (
                send(content: "<badge>0</badge><text>t</text><type>PIN_CODE</type><target>nil</target>"),
                "notification.pushContent.target is missing; PIN_CODE needs one"
            ),
            (
                send(
                    content:
                        "<badge>0</badge><text>t</text><type>URL</type><target>a</target><details><entry><key>target</key><value>b</value></entry></details>"
                ),
                "notification.pushContent.target is given twice, and not the same"
            ),
            (
                send(
                    content:
                        "<badge>0</badge><text>t</text><type>URL</type><target>\(String(repeating: "a", count: 2049))</target>"
                ),
                "notification.pushContent.target is longer than 2048 bytes"
            ),
            (
                send(
                    more: "<pushDetails><amount><currency>EUR</currency><fxAmount>1.5</fxAmount></amount></pushDetails>"
                ),
                "notification.details.fxAmount must be a whole number"
            ),
            (
                send(more: "<pushDetails><amount><currency>EUR</currency></amount></pushDetails>"),
                "notification.details.fxAmount is missing"
            ),
            ("<getDeliveryStatus/>", "id is missing"),
            ("<getNotificationDetails><id>1</id><id>2</id></getNotificationDetails>", "id is repeated"),
            ("<deleteSubscription><user>1</user><user>2</user></deleteSubscription>", "user is repeated"),
            ("<checkSubscriptionExists/>", "user is missing"),
            (send() + send(), "the Body has more than one child"),
            (send() + "<x/>", "the Body has more than one child"),
            ("", "the Body is empty"),
            ("<other/>", "Message part was not recognized. (Does it exist in service WSDL?)"),
            (
                "<sendNotification xmlns='urn:other'/>",
                "Message part was not recognized. (Does it exist in service WSDL?)"
            ),
        ]
    )
    func notification(body: String, fault: String) async throws {
        let bank = try Bank()
        let old = await bank.post(envelope(body))
        #expect(old.status == 500)
        #expect(old.contentType == "text/xml; charset=utf-8")
        #expect(old.text.contains("<faultcode>soap:Client</faultcode>"))
        #expect(old.faultString == fault)
        let new = await bank.post(envelope(body, version: soap12))
        #expect(new.status == 400)
        #expect(new.contentType == "application/soap+xml; charset=utf-8")
        #expect(new.text.contains("<soap:Code><soap:Value>soap:Sender</soap:Value></soap:Code>"))
        #expect(new.part("<soap:Text xml:lang=\"en\">", "</soap:Text>") == fault)
        #expect(bank.intake.messages.isEmpty)
    }

    @Test(
        "What is no request gets a fault",
        arguments: [
            ("", "the request is not well-formed XML: the document is empty"),
            ("<a/>", "the document is not a SOAP envelope"),
            ("<s:Envelope xmlns:s='\(soap11)'/>", "the envelope has no Body"),
            ("<s:Envelope xmlns:s='\(soap11)'><s:Body/><s:Body/></s:Envelope>", "Body is repeated"),
            ("<!DOCTYPE x>" + envelope(send()), "the request is not well-formed XML: 1:12: a DOCTYPE is not allowed"),
        ]
    )
    func malformed(body: String, fault: String) async throws {
        let bank = try Bank()
        let response = await bank.post(body)
        #expect(response.status == 500)
        #expect(response.faultString == fault)
        #expect(bank.intake.messages.isEmpty)
    }

    @Test(
        "A whole request followed or spoilt by something is no request",
        arguments: [
            envelope(send()) + "x", envelope(send()) + "<a/>", String(envelope(send()).dropLast()),
            envelope(send()).replacing("Hello", with: "&hello;"), envelope(send()).replacing("<id>", with: "<p:id>"),
        ]
    )
    func spoilt(body: String) async throws {
        let bank = try Bank()
        let response = await bank.post(body)
        #expect(response.status == 500)
        #expect(response.faultString?.hasPrefix("the request is not well-formed XML: ") == true)
        #expect(bank.intake.messages.isEmpty)
    }

    @Test func aForeignEnvelopeVersionIsAFaultOfItsOwn() async throws {
        let response = try await Bank().post(envelope(send(), version: "urn:soap13"))
        #expect(response.status == 500)
        #expect(response.text.contains("<faultcode>soap:VersionMismatch</faultcode>"))
    }

    @Test(
        "A header that must be understood and is not",
        arguments: [
            (soap11, "<x:y xmlns:x='urn:x' s:mustUnderstand='1'/>", 500),
            (
                soap11,
                "<x:y xmlns:x='urn:x' s:mustUnderstand='1' s:actor='http://schemas.xmlsoap.org/soap/actor/next'/>", 500
            ),
            (soap12, "<x:y xmlns:x='urn:x' s:mustUnderstand='true' s:role='\(soap12)/role/next'/>", 500),
        ]
    )
    func mustUnderstand(version: String, block: String, status: Int) async throws {
        let bank = try Bank()
        let request = envelope(send(), header: "<s:Header>\(block)</s:Header>", version: version)
        let response = await bank.post(request)
        #expect(response.status == status)
        #expect(response.text.contains(">soap:MustUnderstand<"))
        #expect(bank.intake.messages.isEmpty)
    }

    @Test func noFaultRepeatsWhatTheRequestHeld() async throws {
        let content = "<badge>SECRET</badge><text>SECRET</text><type>SECRET</type><target>SECRET</target>"
        let response = try await Bank().post(envelope(send(content: content, more: "<priority>SECRET</priority>")))
        #expect(response.status == 500)
        #expect(!response.text.contains("SECRET"))
    }

    @Test(arguments: ["multipart/related; type=\"application/xop+xml\"", "application/json"])
    func otherMediaTypesAreRefused(type: String) async throws {
        #expect(try await Bank().post(Array(envelope(send()).utf8), type).status == 415)
    }
}
