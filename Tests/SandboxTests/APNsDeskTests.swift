// SPDX-License-Identifier: Apache-2.0

import Crypto
import JSON
import Testing

@testable import Sandbox

/// A desk with a key of its own, and requests that it accepts until a test spoils them.
struct DeskFixture {
    static let now: Int64 = 1_800_000_000_000
    let key: SigningKey
    var desk: APNsDesk
    var connection: APNsDesk.Connection

    init(topics: Set<String>? = nil) throws {
        key = try SigningKey.generate(.p256)
        let keys = ProviderKeys(team: "TEAM000001", keys: ["KEY0000001": key.verifyingKey])
        desk = APNsDesk(keys: keys, checks: APNsChecks(topics: topics), trustedLimit: 1000, capacity: 100)
        connection = APNsDesk.Connection(number: 1)
    }

    func bearer(
        kid: String = "KEY0000001",
        iss: String = "TEAM000001",
        iat: Int64 = now / 1000,
        key: SigningKey? = nil
    ) throws -> String {
        let header: KeyValuePairs<String, JWT.Value> = ["kid": .string(kid)]
        let claims: KeyValuePairs<String, JWT.Value> = ["iss": .string(iss), "iat": .integer(iat)]
        return "bearer " + (try JWT.sign(header: header, claims: claims, key: key ?? self.key))
    }

    func request(_ changes: [String: String?] = [:], body: String = #"{"aps":{"alert":"x"}}"#) throws -> PushRequest {
        var fields: [String: String] = [
            "authorization": try bearer(), "apns-topic": "com.example.app", "apns-push-type": "alert",
            "apns-priority": "10", "apns-expiration": "1800000300", "apns-id": "00112233-4455-8677-8899-aabbccddeeff",
            "apns-collapse-id": "n1",
        ]
        var path = "/3/device/00ff"
        var method = "POST"
        for (name, value) in changes {
            switch name {
            case ":path": path = value ?? ""
            case ":method": method = value ?? ""
            default: fields[name] = value
            }
        }
        return PushRequest(
            method: method,
            path: path,
            headers: fields.map { ($0.key, $0.value) },
            body: Array(body.utf8)
        )
    }

    /// `200`, or the status with the reason, or the name of the effect.
    mutating func outcome(_ request: PushRequest, at now: Int64 = now) -> String {
        text(desk.react(to: request, on: &connection, at: now))
    }

    func text(_ reaction: PushReaction) -> String {
        guard case .answer(let status, _, let body) = reaction.act else { return "\(reaction.act)" }
        guard let reason = try? JSONValue(parsing: body)["reason"]?.string else { return "\(status)" }
        return "\(status) \(reason)"
    }
}

struct APNsDeskTests {
    @Test(
        "Each mistake gets Apple's reason",
        arguments: [
            ([:], "200"),
            ([":path": "/3/device/"], "400 MissingDeviceToken"), ([":path": "/3/device"], "400 MissingDeviceToken"),
            ([":path": "/2/device/00ff"], "404 BadPath"), ([":path": "/3/device/00ff/x"], "404 BadPath"),
            ([":path": "/"], "404 BadPath"), ([":method": "GET"], "405 MethodNotAllowed"),
            ([":path": "/3/device/00f"], "400 BadDeviceToken"), ([":path": "/3/device/00fg"], "400 BadDeviceToken"),
            ([":path": "/3/device/00FF"], "200"),
            ([":path": "/3/device/" + String(repeating: "a", count: 514)], "400 BadDeviceToken"),
            ([":path": "/3/device/" + String(repeating: "a", count: 512)], "200"),
            (["authorization": nil], "403 MissingProviderToken"), (["authorization": ""], "403 InvalidProviderToken"),
            (["authorization": "bearer x.y.z"], "403 InvalidProviderToken"),
            (["apns-topic": nil], "400 MissingTopic"), (["apns-topic": ""], "400 MissingTopic"),
            (["apns-topic": "a b"], "400 BadTopic"), (["apns-push-type": nil], "400 InvalidPushType"),
            (["apns-push-type": "loud"], "400 InvalidPushType"), (["apns-push-type": "voip"], "400 BadTopic"),
            (["apns-push-type": "voip", "apns-topic": "com.example.app.voip"], "200"),
            (["apns-push-type": "background"], "400 BadPriority"),
            (["apns-push-type": "background", "apns-priority": nil], "400 BadPriority"),
            (["apns-push-type": "background", "apns-priority": "5"], "200"),
            (["apns-priority": "7"], "400 BadPriority"), (["apns-priority": ""], "400 BadPriority"),
            (["apns-priority": nil], "200"), (["apns-expiration": nil], "200"), (["apns-expiration": "0"], "200"),
            (["apns-expiration": "-1"], "400 BadExpirationDate"), (["apns-expiration": "5m"], "400 BadExpirationDate"),
            (["apns-expiration": "+5"], "400 BadExpirationDate"), (["apns-id": "1"], "400 BadMessageId"),
            (["apns-id": nil], "200"), (["apns-id": "00112233-4455-8677-8899-AABBCCDDEEFF"], "200"),
            (["apns-collapse-id": nil], "200"), (["apns-collapse-id": String(repeating: "é", count: 32)], "200"),
            (["apns-collapse-id": String(repeating: "é", count: 32) + "x"], "400 BadCollapseId"),
        ] as [([String: String?], String)]
    )
    func headers(changes: [String: String?], outcome: String) throws {
        var fixture = try DeskFixture()
        let request = try fixture.request(changes)
        #expect(fixture.outcome(request) == outcome)
        #expect(fixture.desk.records.all.count == 1)
    }

    @Test(
        "The payload must be there, be JSON with aps, and fit",
        arguments: [
            ("", "400 PayloadEmpty"), ("x", "400 PayloadEmpty"), ("[]", "400 PayloadEmpty"), ("{}", "400 PayloadEmpty"),
            (#"{"aps":{}}"#, "200"), (padded(4096), "200"), (padded(4097), "413 PayloadTooLarge"),
        ]
    )
    func payload(body: String, outcome: String) throws {
        var fixture = try DeskFixture()
        let request = try fixture.request(body: body)
        #expect(fixture.outcome(request) == outcome)
    }

    private static func padded(_ length: Int) -> String {
        #"{"aps":{},"x":""# + String(repeating: "x", count: length - 17) + "\"}"
    }

    @Test func aTopicOfAnotherAppIsNotAllowed() throws {
        var fixture = try DeskFixture(topics: ["com.example.other"])
        let request = try fixture.request()
        #expect(fixture.outcome(request) == "400 TopicDisallowed")
    }

    @Test func aHeaderGivenTwiceIsRefused() throws {
        var fixture = try DeskFixture()
        var request = try fixture.request()
        request.headers.append(("apns-topic", "com.example.app"))
        #expect(fixture.outcome(request) == "400 DuplicateHeaders")
    }

    @Test("The record shows what came and not who may send")
    func record() throws {
        var fixture = try DeskFixture()
        let request = try fixture.request()
        _ = fixture.outcome(request)
        let record = try #require(fixture.desk.records.all.first)
        #expect(record.token == "00ff")
        #expect(record.header("apns-topic") == "com.example.app")
        #expect(record.header("authorization") == nil)
        #expect(record.status == 200)
        #expect(record.body == request.body)
    }

    @Test("The id is echoed, or made where there was none")
    func echo() throws {
        var fixture = try DeskFixture()
        let named = fixture.desk.react(to: try fixture.request(), on: &fixture.connection, at: DeskFixture.now)
        guard case .answer(_, let fields, let body) = named.act else { return }
        #expect(fields["apns-id"] == "00112233-4455-8677-8899-aabbccddeeff")
        #expect(body.isEmpty)
        let unnamed = try fixture.request(["apns-id": nil])
        guard case .answer(_, let made, _) = fixture.desk.react(to: unnamed, on: &fixture.connection, at: 0).act else {
            return
        }
        #expect(UUIDText.isCanonical(made["apns-id"] ?? ""))
    }

    @Test("The first good JWT of a connection raises its stream limit, once")
    func limit() throws {
        var fixture = try DeskFixture()
        let bad = try fixture.request(["authorization": nil])
        let good = try fixture.request()
        #expect(fixture.desk.react(to: bad, on: &fixture.connection, at: DeskFixture.now).streamLimit == nil)
        #expect(fixture.desk.react(to: good, on: &fixture.connection, at: DeskFixture.now).streamLimit == 1000)
        #expect(fixture.desk.react(to: good, on: &fixture.connection, at: DeskFixture.now).streamLimit == nil)
    }
}
