// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import HTTP2
import JSON
import PushService
import PushTesting
import Testing

@testable import APNs

@Suite(.timeLimit(.minutes(1)))
struct RequestTests {
    @Test("A push has Apple's headers and nothing else")
    func headers() async throws {
        let fixture = try Fixture()
        #expect(await fixture.send([delivery()]) == [1: .accepted])
        let request = try #require(fixture.requests.all.first)
        let fields = request.headers.filter { $0.name != "authorization" && $0.name != "content-length" }
        let expected = [
            ":method POST", ":scheme https", ":authority localhost:\(fixture.server.port)", ":path /3/device/a0b1",
            "apns-id 01234567-89ab-8def-8000-000000000001", "apns-topic com.megabank.retail",
            "apns-push-type alert", "apns-priority 10", "apns-collapse-id n-1", "apns-expiration 1700000060",
        ]
        #expect(Set(fields.map { "\($0.name) \($0.value)" }) == Set(expected))
        #expect(fields.filter { !$0.isIndexed }.map(\.name) == [":path", "apns-id"])
    }

    @Test("The token is a JWT of the key, issued at the beginning of the half hour")
    func token() async throws {
        let fixture = try Fixture()
        _ = await fixture.send([delivery()])
        let header = try #require(fixture.requests.all.first?.header("authorization"))
        let token = try #require(SignedToken(String(header.dropFirst("bearer ".count))))
        #expect(header.hasPrefix("bearer "))
        #expect(token.isSigned(by: Secrets.shared.key.verifyingKey))
        #expect(String(decoding: token.header, as: UTF8.self) == #"{"alg":"ES256","kid":"ABC123DEFG"}"#)
        let claims = try JSONValue(parsing: token.claims)
        #expect(claims["iss"]?.string == "DEF123GHIJ")
        #expect(try #require(claims["iat"]?.integer) % 1800 == 0)
    }

    @Test("Priorities below 5 spare the battery", arguments: [(0, "5"), (4, "5"), (5, "10"), (10, "10")])
    func priority(given: Int, sent: String) async throws {
        let fixture = try Fixture()
        _ = await fixture.send([delivery(1, outgoing(priority: given))])
        #expect(fixture.requests.all.first?.header("apns-priority") == sent)
    }

    @Test(
        "A collapse id stays what it is up to 64 bytes, and where a header can hold it",
        arguments: [
            ("n-1", nil, "n-1"), ("n-1", "sale", "sale"), ("n-1", "", "n-1"),
            ("n-1", String(repeating: "x", count: 64), String(repeating: "x", count: 64)),
            ("n-1", String(repeating: "x", count: 65), SHA256.hash(String(repeating: "x", count: 65)).hex),
            ("n-1", "a\nb", SHA256.hash("a\nb").hex), ("n-1", "распродажа", SHA256.hash("распродажа").hex),
        ] as [(String, String?, String)]
    )
    func collapseID(id: String, given: String?, sent: String) async throws {
        let fixture = try Fixture()
        _ = await fixture.send([delivery(1, outgoing(id: NotificationID(id), collapseID: given))])
        #expect(fixture.requests.all.first?.header("apns-collapse-id") == sent)
    }

    @Test("A device's topic comes before the channel's, also within one notification")
    func topics() async throws {
        let fixture = try Fixture()
        let shared = outgoing()
        let outcomes = await fixture.send([
            delivery(1, shared, token: "01"), delivery(2, shared, token: "02", topic: "com.other"),
            delivery(3, shared, token: "03"),
        ])
        #expect(outcomes.count == 3)
        let pairs = fixture.requests.all.map { "\($0.path) \($0.header("apns-topic") ?? "")" }
        let expected = ["01 com.megabank.retail", "02 com.other", "03 com.megabank.retail"].map { "/3/device/\($0)" }
        #expect(Set(pairs) == Set(expected))
    }

    @Test("A base path stands before Apple's path")
    func basePath() throws {
        var writer = RequestWriter(
            path: try settings(
                "{ endpoint: 'http://127.0.0.1:1/apple/', topic: t, auth: \(Secrets.shared.keyAuth) }"
            ).endpoint.base.path,
            topic: nil
        )
        let request = try writer.request(delivery(), tag: 1, showing: .ofConnection, at: .epoch).get()
        #expect(request.path == "/apple/3/device/a0b1")
    }

    @Test("Deliveries of one notification share headers and body")
    func sharing() throws {
        var writer = RequestWriter(path: "", topic: "t")
        let shared = outgoing()
        let first = try writer.request(delivery(1, shared), tag: 1, showing: .ofConnection, at: .epoch).get()
        let second = try writer.request(delivery(2, shared), tag: 2, showing: .ofConnection, at: .epoch).get()
        #expect(first.headers === second.headers)
        let address = { (bytes: [UInt8]) in bytes.withUnsafeBytes { $0.baseAddress } }
        #expect(address(first.body) == address(second.body))
    }

    @Test("What only one request has stays out of the connection's table")
    func single() async throws {
        let fixture = try Fixture()
        let one = Notification(
            id: "n-1",
            recipients: [Recipient("anna")],
            timeout: 60,
            content: PushContent(badge: 0, text: "Hello", type: .message)
        )
        let outgoing = OutgoingNotification(notification: one, sequence: 1, acceptedAt: .epoch)
        #expect(await fixture.send([delivery(1, outgoing)]) == [1: .accepted])
        let fields = try #require(fixture.requests.all.first).headers
        // libnghttp2 never lets `authorization` into the table, whatever it is asked for.
        let kept = fields.filter { !$0.isIndexed && $0.name != "authorization" }.map { "\($0.name) \($0.value)" }
        let expected = [
            ":path /3/device/a0b1", "apns-id 01234567-89ab-8def-8000-000000000001", "apns-collapse-id n-1",
            "apns-expiration 1700000060",
        ]
        #expect(kept == expected)
        #expect(fields.contains { $0.name == "apns-topic" && $0.value == "com.megabank.retail" })
    }

    @Test("A phone number is refused")
    func phone() async throws {
        let fixture = try Fixture()
        let number = Delivery(
            ticket: 1,
            sequence: 1,
            notification: outgoing(),
            address: .phone("+7"),
            messageID: MessageID(high: 0, low: 0),
            expiration: nil,
            deadline: .distantFuture
        )
        #expect(await fixture.send([number]) == [1: .rejected(reason: "APNs reaches devices, not phone numbers")])
    }
}
