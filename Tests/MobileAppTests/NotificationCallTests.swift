// SPDX-License-Identifier: Apache-2.0

import Bus
import MobileApp
import TestSupport
import Testing

struct NotificationCallTests {
    @Test("Each event of a phone becomes a receipt", arguments: Receipt.Event.allCases)
    func receipts(event: Receipt.Event) async throws {
        let mobile = try Mobile()
        let body = """
            {"notificationId":" n1 ","subscriberId":"s1","event":"\(event.rawValue)","button":"yes"}
            """
        let answer = await mobile.call("POST", "/receipts", body: body, bearer: "hush")
        #expect(answer.status == 202)
        let receipt = Receipt(
            notification: "n1",
            subscriber: "s1",
            event: event,
            button: "yes",
            credential: .secret("hush")
        )
        #expect(mobile.intake.messages == [.receipt(receipt)])
    }

    @Test("The bank's front server may speak for any device")
    func trusted() async throws {
        let mobile = try Mobile()
        let body = #"{"notificationId":"n1","subscriberId":"s1","event":"opened"}"#
        #expect(await mobile.call("POST", "/receipts", body: body, bearer: Mobile.front).status == 202)
        guard case .receipt(let receipt) = mobile.intake.messages.first else {
            Issue.record("no receipt")
            return
        }
        #expect(receipt.credential == .trusted)
        #expect(receipt.button == nil)
    }

    @Test("An app's event is handed on with its parameters as texts")
    func events() async throws {
        let mobile = try Mobile()
        let body = #"{"subscriberId":"s1","event":"bought","parameters":{"sum":12.5,"count":2,"new":true,"of":"tea"}}"#
        #expect(await mobile.call("POST", "/events", body: body, bearer: "hush").status == 202)
        let parameters = ["sum": "12.5", "count": "2", "new": "true", "of": "tea"]
        let event = AppEvent(subscriber: "s1", name: "bought", parameters: parameters, credential: .secret("hush"))
        #expect(mobile.intake.messages == [.event(event)])
    }

    @Test("Details come under the names of the original documentation")
    func details() async throws {
        let details = PushDetails(
            name: "n\"",
            logoURL: "http://logo",
            description: "text",
            tags: [.init(key: "Период", value: "3 года"), .init(key: "k", value: nil)],
            amount: .init(currency: "RUR", fxAmount: 100_000_000)
        )
        let mobile = try Mobile(.details(details))
        let answer = await mobile.call("GET", "/notifications/n%2F1/details?subscriberId=s1", bearer: "hush")
        #expect(answer.status == 200)
        #expect(answer.header("Cache-Control") == "no-store")
        let expected =
            #"{"name":"n\"","logoUrl":"http://logo","pushDescription":"text","tags":[{"key":"Период","#
            + #""value":"3 года"},{"key":"k"}],"amount":{"currency":"RUR","fxAmount":100000000}}"#
        #expect(answer.text == expected)
        let query = Query.details("n/1", subscriber: "s1", credential: .secret("hush"))
        #expect(mobile.intake.messages == [.query(query)])
    }

    @Test(
        "What is wrong with a call is named",
        arguments: [
            ("/receipts", #"{"subscriberId":"s","event":"opened"}"#, ["notificationId"]),
            ("/receipts", #"{"notificationId":"n","subscriberId":"s","event":"seen"}"#, ["event"]),
            ("/receipts", #"{"notificationId":"","subscriberId":"s"}"#, ["notificationId", "event"]),
            ("/events", #"{"event":"e"}"#, ["subscriberId"]),
            ("/events", #"{"subscriberId":"s","event":"e","parameters":{"a":[]}}"#, ["parameters.a"]),
            ("/events", #"{"subscriberId":"s","event":"e","parameters":7}"#, ["parameters"]),
        ]
    )
    func faults(path: String, body: String, paths: [String]) async throws {
        let mobile = try Mobile()
        let answer = await mobile.call("POST", path, body: body, bearer: "hush")
        #expect(answer.isProblem(422, "INVALID_REQUEST"))
        #expect(answer.faults.map(\.path) == paths)
        #expect(mobile.intake.messages.isEmpty)
    }

    @Test("Nobody is heard without a token", arguments: ["/receipts", "/events"])
    func anonymous(path: String) async throws {
        let mobile = try Mobile()
        #expect(await mobile.call("POST", path, body: "{}").isProblem(401, "UNAUTHORIZED"))
        let details = await mobile.call("GET", "/notifications/n/details?subscriberId=s")
        #expect(details.isProblem(401, "UNAUTHORIZED"))
        #expect(mobile.intake.messages.isEmpty)
    }

    @Test("Details name their subscriber")
    func nameless() async throws {
        let answer = try await Mobile().call("GET", "/notifications/n/details", bearer: "hush")
        #expect(answer.isProblem(422, "INVALID_REQUEST"))
        #expect(answer.faults.map(\.path) == ["subscriberId"])
    }
}
