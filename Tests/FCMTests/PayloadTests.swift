// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import JSON
import PushService
import PushTesting
import Testing

@testable import FCM

@Suite(.timeLimit(.minutes(1)))
struct PayloadTests {
    private static let now = WallTime(milliseconds: 1_700_000_000_000)

    private func text(
        _ outgoing: OutgoingNotification,
        token: String = "f1:APA91b",
        expiration: WallTime? = WallTime(seconds: 1_700_000_060)
    ) throws -> String {
        let payload = try #require(Payload(outgoing.notification))
        return String(decoding: payload.body(token: token, expiration: expiration, now: Self.now), as: UTF8.self)
    }

    @Test("The smallest message has no title, no target, no details, no collapse key")
    func smallest() throws {
        let expected = [
            #"{"message":{"token":"f1:APA91b","android":{"ttl":"60s","priority":"HIGH","#,
            #""notification":{"tag":"n-1","sound":"default","notification_count":3}},"notification":{"body":"Hello"},"#,
            #""data":{"notificationId":"n-1","type":"MESSAGE"}}}"#,
        ].joined()
        #expect(try text(outgoing()) == expected)
    }

    @Test("The largest has all, escaped, and only strings among the data")
    func whole() throws {
        let full = outgoing(
            text: "Код \"1\"\n\u{1}",
            type: .pinCode,
            target: "00\\77",
            details: PushDetails(name: "Банк", logoURL: "https://x/"),
            priority: 4,
            collapseID: "sa\"le"
        )
        let expected = [
            #"{"message":{"token":"t\"\\","android":{"ttl":"0s","priority":"NORMAL","collapse_key":"sa\"le","#,
            #""notification":{"tag":"sa\"le","sound":"default","notification_count":3}},"#,
            #""notification":{"title":"Банк","body":"Код \"1\"\n\u0001"},"#,
            #""data":{"notificationId":"n-1","type":"PIN_CODE","target":"00\\77","details":"true"}}}"#,
        ].joined()
        #expect(try text(full, token: #"t"\"#, expiration: nil) == expected)
    }

    @Test(
        "The time to live is what is left, in whole seconds and at most four weeks",
        arguments: [
            (0, "0s"), (1_700_000_060, "60s"), (1_699_999_999, "0s"), (1_700_000_000, "0s"),
            (1_702_419_200, "2419200s"), (1_702_419_201, "2419200s"), (1_800_000_000, "2419200s"),
        ] as [(Int64, String)]
    )
    func life(expiration: Int64, expected: String) throws {
        let json = try JSONValue(
            parsing: try text(outgoing(), expiration: expiration == 0 ? nil : WallTime(seconds: expiration))
        )
        #expect(json["message"]?["android"]?["ttl"]?.string == expected)
    }

    @Test("Part of a second that is left does not count")
    func fraction() throws {
        let payload = try #require(Payload(outgoing().notification))
        let body = payload.body(
            token: "t",
            expiration: WallTime(seconds: 1_700_000_060),
            now: Self.now.adding(milliseconds: 1)
        )
        #expect(try JSONValue(parsing: body)["message"]?["android"]?["ttl"]?.string == "59s")
    }

    @Test("Priorities below 5 spare the battery", arguments: [(0, "NORMAL"), (4, "NORMAL"), (5, "HIGH"), (10, "HIGH")])
    func priority(given: Int, sent: String) throws {
        let json = try JSONValue(parsing: try text(outgoing(priority: given)))
        #expect(json["message"]?["android"]?["priority"]?.string == sent)
    }

    @Test(
        "A long text is cut between characters so that the message fits with any token FCM makes",
        arguments: ["a", "я", "👨‍👩‍👧‍👦", "e\u{301}", "\"", "\u{1}", "🇷🇺", "\n"]
    )
    func truncates(unit: String) throws {
        let long = outgoing(text: String(repeating: unit, count: 5000), target: "keep")
        let body = try text(
            long,
            token: String(repeating: "t", count: 250),
            expiration: WallTime(seconds: 1_800_000_000)
        )
        #expect(body.utf8.count <= 4096)
        #expect(body.utf8.count > 4096 - JSONWriter.escapedLength(of: unit) - 64)
        let message = try #require(JSONValue(parsing: body)["message"])
        let shown = try #require(message["notification"]?["body"]?.string)
        #expect(shown.hasSuffix("…"))
        #expect(shown.dropLast().allSatisfy { String($0) == unit })
        #expect(message["data"]?["target"]?.string == "keep")
    }

    @Test("What does not fit without its text is refused before it is sent")
    func tooLarge() async throws {
        let fixture = try Fixture()
        let huge = outgoing(target: String(repeating: "t", count: 4096))
        let outcomes = await fixture.send([android(1, huge), android(2)])
        #expect(outcomes[1] == .rejected(reason: "the message is larger than 4096 bytes even without its text"))
        #expect(outcomes[2] == .accepted)
        #expect(fixture.requests.all.count == 1)
    }

    @Test("A request has FCM's path, the access token and the type of its body, and nothing else")
    func request() async throws {
        let fixture = try Fixture()
        #expect(await fixture.send([android()]) == [1: .accepted])
        let request = try #require(fixture.requests.all.first)
        let fields = request.headers.filter { $0.name != "content-length" }.map { "\($0.name) \($0.value)" }
        let expected = [
            ":method POST", ":scheme https", ":authority localhost:\(fixture.server.port)",
            ":path /v1/projects/megabank-1/messages:send", "authorization Bearer t1",
            "content-type application/json; charset=UTF-8",
        ]
        #expect(Set(fields) == Set(expected))
    }

    @Test("A base path stands before FCM's path, and a phone number is refused")
    func writer() throws {
        var writer = RequestWriter(path: "/google", project: "p")
        let token = PushCredential(authorization: "Bearer x", version: 1)
        let request = try writer.request(android(), tag: 1, showing: token, at: .epoch).get()
        #expect(request.path == "/google/v1/projects/p/messages:send")
        let number = Delivery(
            ticket: 1,
            sequence: 1,
            notification: outgoing(),
            address: .phone("+7"),
            messageID: MessageID(high: 0, low: 0),
            expiration: nil,
            deadline: .distantFuture
        )
        #expect(throws: PushRefusal.self) {
            try writer.request(number, tag: 1, showing: token, at: .epoch).get()
        }
    }
}
