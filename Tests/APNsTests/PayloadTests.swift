// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import PushService
import PushTesting
import Testing

@testable import APNs

struct PayloadTests {
    private func text(_ outgoing: OutgoingNotification) throws -> String {
        String(decoding: try #require(Payload(outgoing.notification).render()), as: UTF8.self)
    }

    @Test("The smallest payload has no title, no target, no details")
    func smallest() throws {
        let expected =
            #"{"aps":{"alert":{"body":"Hello"},"badge":3,"sound":"default"},"notificationId":"n-1","type":"MESSAGE"}"#
        #expect(try text(outgoing()) == expected)
    }

    @Test("The largest has all, escaped")
    func whole() throws {
        let full = outgoing(
            text: "Код \"1\"\n\u{1}",
            type: .pinCode,
            target: "00\\77",
            details: PushDetails(name: "Банк", logoURL: "https://x/")
        )
        let expected = [
            #"{"aps":{"alert":{"title":"Банк","body":"Код \"1\"\n\u0001"},"badge":3,"sound":"default"},"#,
            #""notificationId":"n-1","type":"PIN_CODE","target":"00\\77","details":true}"#,
        ].joined()
        #expect(try text(full) == expected)
    }

    @Test("Details without a name bring no title")
    func untitled() throws {
        let json = try text(outgoing(details: PushDetails(description: "x")))
        #expect(json.hasSuffix(#""type":"MESSAGE","details":true}"#))
        #expect(!json.contains("title"))
    }

    @Test(
        "A long text is cut between characters so that the JSON just fits",
        arguments: ["a", "я", "👨‍👩‍👧‍👦", "e\u{301}", "\"", "\u{1}", "🇷🇺", "\n"]
    )
    func truncates(unit: String) throws {
        let json = try #require(
            Payload(outgoing(text: String(repeating: unit, count: 5000), target: "keep").notification).render()
        )
        let cost = JSONWriter.escapedLength(of: unit)
        #expect(json.count <= 4096)
        #expect(json.count > 4096 - cost)
        let body = try #require(JSONValue(parsing: json)["aps"]?["alert"]?["body"]?.string)
        #expect(body.hasSuffix("…"))
        #expect(body.dropLast().allSatisfy { String($0) == unit })
        #expect(try JSONValue(parsing: json)["target"]?.string == "keep")
    }

    @Test("A text that fits to the byte is not touched, one byte more is")
    func exactFit() throws {
        let empty = try #require(Payload(outgoing(text: "").notification).render()).count
        let room = 4096 - empty
        for (length, isCut) in [(room, false), (room + 1, true)] {
            let json = try text(outgoing(text: String(repeating: "x", count: length)))
            #expect(json.utf8.count == 4096)
            #expect(json.contains("…") == isCut)
        }
    }

    @Test("A title gives way only where cutting the text is not enough")
    func longTitle() throws {
        let long = String(repeating: "т", count: 3000)
        let json = try #require(Payload(outgoing(text: long, details: PushDetails(name: long)).notification).render())
        let alert = try #require(JSONValue(parsing: json)["aps"]?["alert"])
        #expect(try #require(alert["title"]?.string).utf8.count <= 256)
        #expect(try #require(alert["body"]?.string).utf8.count > 3000)
        #expect(json.count <= 4096 && json.count > 4090)
    }

    @Test("What does not fit without its text is refused before it is sent")
    func tooLarge() async throws {
        let fixture = try Fixture()
        let huge = outgoing(target: String(repeating: "t", count: 4096))
        let outcomes = await fixture.send([delivery(1, huge), delivery(2)])
        #expect(outcomes[1] == .rejected(reason: "the payload is larger than 4096 bytes even without its text"))
        #expect(outcomes[2] == .accepted)
        #expect(fixture.requests.all.count == 1)
    }
}
