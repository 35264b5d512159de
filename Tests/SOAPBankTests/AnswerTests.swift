// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

struct AnswerTests {
    @Test func anAcceptedNotificationIsAnsweredAsDocumented() async throws {
        let bank = try Bank(
            reply: .accepted([RecipientStatus("u<1>", .queued), RecipientStatus("u2", .invalidSubscription)])
        )
        let response = await bank.post(envelope(send()))
        #expect(response.status == 200)
        #expect(
            response.text == """
                <?xml version="1.0" encoding="UTF-8"?>\
                <soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>\
                <ns2:sendNotificationResponse xmlns:ns2="http://inbound.sbi.pigeon.idamobile.com/"><return>\
                <status>OK</status><deliveryStatus>\
                <entry><key>u&lt;1&gt;</key><value>QUEUED</value></entry>\
                <entry><key>u2</key><value>INVALID_SUBSCRIPTION</value></entry>\
                </deliveryStatus></return></ns2:sendNotificationResponse></soap:Body></soap:Envelope>
                """
        )
    }

    @Test func soap12IsAnsweredInKind() async throws {
        let response = try await Bank().post(envelope(send(), version: soap12))
        #expect(response.contentType == "application/soap+xml; charset=utf-8")
        #expect(response.text.contains("xmlns:soap=\"\(soap12)\""))
    }

    @Test(
        "Replies in SOAP's words",
        arguments: [
            (Reply.duplicate, "<status>DUPLICATED_ENTITY</status><errorMessage>the id was used before</errorMessage>"),
            (.notFound, "<status>ENTITY_NOT_FOUND</status><errorMessage>there is no such entity</errorMessage>"),
            (.failed("disk full"), "<status>INTERNAL_SERVER_ERROR</status><errorMessage>disk full</errorMessage>"),
            (.done, "<status>OK</status>"), (.exists(true), "<status>OK</status><exists>true</exists>"),
            (.exists(false), "<status>OK</status><exists>false</exists>"),
            (
                .statuses([RecipientStatus("u", .read)]),
                "<status>OK</status><deliveryStatus><entry><key>u</key><value>READ</value></entry></deliveryStatus>"
            ),
        ]
    )
    func replies(reply: Reply, result: String) async throws {
        let response = try await Bank(reply: reply).post(envelope(send()))
        #expect(response.status == 200)
        #expect(response.part("<return>", "</return>") == result)
    }

    @Test func anOverloadSaysWhenToComeBack() async throws {
        for version in [soap11, soap12] {
            let response = try await Bank(reply: .overloaded(retryAfter: 7)).post(envelope(send(), version: version))
            #expect(response.status == 503)
            #expect(response.headers.first { $0.name == "Retry-After" }?.value == "7")
            #expect(response.text.contains("soap:Server") || response.text.contains("soap:Receiver"))
        }
    }

    @Test func aRefusalIsTheCallersFault() async throws {
        let response = try await Bank(reply: .refused(Refusal(field: "text", "is too long"))).post(envelope(send()))
        #expect(response.status == 500)
        #expect(response.faultString == "text is too long")
    }

    @Test func aNotificationComesBackAsItCouldBeSent() async throws {
        let request = "<getNotificationDetails><id>push_id</id></getNotificationDetails>"
        let sent = RequestTests.documentedNotification
        let response = try await Bank(reply: .notification(sent)).post(envelope(request))
        let notification = try #require(response.part("<status>OK</status>", "</return>"))
        let bank = try Bank()
        #expect(await bank.post(envelope("<sendNotification>\(notification)</sendNotification>")).status == 200)
        #expect(try bank.notification() == sent)
        #expect(
            notification.contains(
                """
                <perishable>false</perishable><priority>5</priority><pushContent><badge>0</badge><details><entry>\
                <key>target</key><value>nil</value></entry></details><sound>default</sound>
                """
            )
        )
    }

    @Test func aTargetComesBackInTheMap() async throws {
        var sent = RequestTests.documentedNotification
        sent.content.target = "x"
        let request = "<getNotificationDetails><id>push_id</id></getNotificationDetails>"
        let response = try await Bank(reply: .notification(sent)).post(envelope(request))
        #expect(
            response.part("<badge>0</badge>", "<sound>")
                == "<details><entry><key>target</key><value>x</value></entry></details>"
        )
    }

    @Test(
        "A target that was left out stays out, and one that was the word nil comes back as it",
        arguments: [true, false]
    )
    func nilTarget(hasNil: Bool) async throws {
        var sent = RequestTests.documentedNotification
        sent.content.hasNilTarget = hasNil
        let request = "<getNotificationDetails><id>push_id</id></getNotificationDetails>"
        let response = try await Bank(reply: .notification(sent)).post(envelope(request))
        #expect(response.text.contains("<entry><key>target</key><value>nil</value></entry>") == hasNil)
    }

    @Test("What the documentation has 1..1 is in every result")
    func requiredResults() async throws {
        let status = "<getDeliveryStatus><id>n</id></getDeliveryStatus>"
        let absent = try await Bank(reply: .notFound).post(envelope(status))
        #expect(absent.text.contains("</errorMessage><deliveryStatus></deliveryStatus></return>"))
        let exists = "<checkSubscriptionExists><user>u</user></checkSubscriptionExists>"
        let failed = try await Bank(reply: .failed("disk full")).post(envelope(exists))
        #expect(failed.text.contains("</errorMessage><exists>false</exists></return>"))
    }
}
