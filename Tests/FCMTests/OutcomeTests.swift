// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import PushService
import PushTesting
import Testing

@testable import FCM

@Suite(.timeLimit(.minutes(1)))
struct OutcomeTests {
    enum Class { case accepted, rejected, gone, ambiguous, unavailable, laterDelivery, laterProvider }

    private static let type = "type.googleapis.com/google"

    private static func judgement(_ status: Int, _ body: String, _ headers: [HTTP2Header] = []) -> PushJudgement {
        let response = HTTP2Response(status: status, headers: headers, body: Array(body.utf8))
        return Answer(response, now: WallTime(milliseconds: 784_111_777_000)).judgement
    }

    private static func error(
        _ status: Int,
        _ word: String,
        message: String = "",
        _ details: String...
    ) -> PushJudgement {
        let list = details.joined(separator: ",")
        let body = #"{"error":{"code":\#(status),"message":"\#(message)","status":"\#(word)","details":[\#(list)]}}"#
        return judgement(status, body)
    }

    private static func fcm(_ code: String) -> String {
        #"{"@type":"\#(type).firebase.fcm.v1.FcmError","errorCode":"\#(code)"}"#
    }

    private static func violation(_ field: String) -> String {
        let list = #"[{"field":"\#(field)","description":"SECRET"}]"#
        return #"{"@type":"\#(type).rpc.BadRequest","fieldViolations":\#(list)}"#
    }

    private static func kind(_ outcome: Outcome) -> Class? {
        switch outcome {
        case .accepted: .accepted
        case .rejected: .rejected
        case .gone(let gone): gone.isAmbiguous ? .ambiguous : .gone
        case .unavailable: .unavailable
        case .retry(_, .delivery, _): .laterDelivery
        case .retry(_, .provider, _): .laterProvider
        case .unknown: nil
        }
    }

    @Test(
        "Each of FCM's errors means one thing, and comes before Google's general word",
        arguments: [
            (404, "NOT_FOUND", "UNREGISTERED", .gone), (400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", .rejected),
            (403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH", .ambiguous),
            (429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED", .laterProvider),
            (503, "UNAVAILABLE", "UNAVAILABLE", .laterProvider), (500, "INTERNAL", "INTERNAL", .laterProvider),
            (401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR", .laterDelivery),
            (400, "INVALID_ARGUMENT", "UNSPECIFIED_ERROR", .rejected),
            (503, "UNAVAILABLE", "UNSPECIFIED_ERROR", .laterProvider), (404, "NOT_FOUND", "NEW_ONE", .unavailable),
        ] as [(Int, String, String, Class)]
    )
    func codes(status: Int, word: String, code: String, expected: Class) {
        #expect(Self.kind(Self.error(status, word, Self.fcm(code)).outcome) == expected)
    }

    @Test(
        "Without a word of FCM's, Google's general word and then the status count",
        arguments: [
            (200, "", .accepted), (400, "INVALID_ARGUMENT", .rejected), (401, "UNAUTHENTICATED", .unavailable),
            (403, "PERMISSION_DENIED", .unavailable), (404, "NOT_FOUND", .unavailable),
            (429, "RESOURCE_EXHAUSTED", .laterProvider), (500, "INTERNAL", .laterProvider),
            (503, "UNAVAILABLE", .laterProvider), (504, "DEADLINE_EXCEEDED", .laterProvider),
            (400, "", .rejected), (401, "", .unavailable), (403, "", .unavailable), (404, "", .unavailable),
            (405, "", .unavailable), (407, "", .unavailable), (408, "", .laterProvider), (413, "", .rejected),
            (429, "", .laterProvider), (502, "", .laterProvider), (302, "", .unavailable),
            (418, "NEW_WORD", .rejected), (599, "NEW_WORD", .laterProvider),
        ] as [(Int, String, Class)]
    )
    func words(status: Int, word: String, expected: Class) {
        #expect(Self.kind(Self.error(status, word).outcome) == expected)
        #expect(Self.kind(Self.judgement(status, "").outcome) == expected)
    }

    @Test("Only the access token that is refused without a word of FCM's is replaced")
    func refusedToken() {
        #expect(Self.error(401, "UNAUTHENTICATED").remedy == .renew(reconnecting: false))
        #expect(Self.judgement(401, "<html>").remedy == .renew(reconnecting: false))
        #expect(Self.error(401, "UNAUTHENTICATED", Self.fcm("THIRD_PARTY_AUTH_ERROR")).remedy == .none)
        #expect(Self.error(403, "PERMISSION_DENIED").remedy != .renew(reconnecting: false))
    }

    @Test(
        "INVALID_ARGUMENT costs a token only where the token is named",
        arguments: [
            ("The registration token is not a valid FCM registration token", [fcm("INVALID_ARGUMENT")], .gone),
            ("x", [fcm("INVALID_ARGUMENT"), violation("message.token")], .gone),
            ("x", [violation("message.token")], .gone),
            ("x", [fcm("INVALID_ARGUMENT")], .rejected),
            ("The registration token is not a valid FCM registration token", [], .rejected),
            ("x", [violation("message.data[0].value")], .rejected),
            ("registration token", [fcm("INVALID_ARGUMENT"), violation("message.android.ttl")], .rejected),
        ] as [(String, [String], Class)]
    )
    func tokens(message: String, details: [String], expected: Class) {
        let list = details.joined(separator: ",")
        #expect(Self.kind(Self.error(400, "INVALID_ARGUMENT", message: message, list).outcome) == expected)
    }

    @Test("An iPhone's token that Apple calls dead is dead, another of Apple's refusals is not")
    func apple() {
        let apple = #"{"@type":"\#(Self.type).firebase.fcm.v1.ApnsError","statusCode":410,"reason":"Unregistered"}"#
        let outcome = Self.error(400, "INVALID_ARGUMENT", Self.fcm("INVALID_ARGUMENT"), apple).outcome
        #expect(Self.kind(outcome) == .gone)
        let other = apple.replacing("410", with: "403")
        #expect(
            Self.kind(Self.error(401, "UNAUTHENTICATED", Self.fcm("THIRD_PARTY_AUTH_ERROR"), other).outcome)
                == .laterDelivery
        )
    }

    @Test("A quota pauses the project as long as is said, or as the pipeline has it; one device's only this delivery")
    func quota() {
        let plain = Self.error(429, "RESOURCE_EXHAUSTED", Self.fcm("QUOTA_EXCEEDED")).outcome
        #expect(plain == .retry(after: nil, scope: .provider, reason: "FCM says 429 QUOTA_EXCEEDED"))
        let said = Self.judgement(429, "", [HTTP2Header("retry-after", "7")]).outcome
        #expect(said == .retry(after: 7000, scope: .provider, reason: "FCM says 429"))
        let dates = [
            HTTP2Header("retry-after", "Sat, 07 Nov 2099 10:00:02 GMT"),
            HTTP2Header("date", "Sat, 07 Nov 2099 10:00:00 GMT"),
        ]
        let dated = Self.judgement(429, "", dates).outcome
        #expect(dated == .retry(after: 2000, scope: .provider, reason: "FCM says 429"))
        let subject = #"[{"subject":"device:SECRET","description":"rate"}]"#
        let device = #"{"@type":"\#(Self.type).rpc.QuotaFailure","violations":\#(subject)}"#
        let single = Self.error(429, "RESOURCE_EXHAUSTED", Self.fcm("QUOTA_EXCEEDED"), device).outcome
        #expect(single == .retry(after: nil, scope: .delivery, reason: "FCM says 429 QUOTA_EXCEEDED"))
    }

    @Test("Reasons are words an operator understands")
    func reasons() {
        let info = #"{"@type":"\#(Self.type).rpc.ErrorInfo","reason":"SERVICE_DISABLED"}"#
        let cause = "the service account may not send, or the Firebase Cloud Messaging API is off in its project"
        #expect(
            Self.error(403, "PERMISSION_DENIED", info).outcome
                == .unavailable(reason: "FCM says 403 PERMISSION_DENIED SERVICE_DISABLED: \(cause)")
        )
        let gone = Outcome.Gone(since: nil, isAmbiguous: false, reason: "FCM says 404 UNREGISTERED")
        #expect(Self.error(404, "NOT_FOUND", Self.fcm("UNREGISTERED")).outcome == .gone(gone))
        let token = #"{"@type":"\#(Self.type).rpc.ErrorInfo","reason":"ABCDEF0123"}"#
        let unknown = Self.error(400, "SECRET_WORD", Self.fcm("483920"), token).outcome
        #expect(unknown == .rejected(reason: "FCM says 400"))
    }

    @Test(
        "A body that is not Google's leaves the status to judge by, and gets into no error",
        arguments: [
            "<html>502 SECRET</html>", "{", "[]", "null", #"{"error":7}"#, #"{"error":{"status":"two SECRET"}}"#,
            #"{"error":{"details":[7,null,{"@type":5}]}}"#, #"{"error":"SECRET"}"#, "\u{0}",
            #"{"error":{"details":{"@type":"x"}}}"#, String(repeating: "[", count: 10_000),
        ]
    )
    func foreignBodies(body: String) {
        #expect(Self.judgement(502, body).outcome == .retry(after: nil, scope: .provider, reason: "FCM says 502"))
        #expect(Self.judgement(400, body).outcome == .rejected(reason: "FCM says 400"))
    }

    @Test("Answers reach the sink over the wire, each at its own delivery, however large")
    func wire() async throws {
        let fixture = try Fixture { _, request in
            let body = String(decoding: request.body, as: UTF8.self)
            if body.contains(#""token":"dead""#) { return refusal(404, "NOT_FOUND", code: "UNREGISTERED") }
            if body.contains(#""token":"huge""#) {
                return answer(503, String(repeating: "x", count: 200_000), [HTTP2Header("retry-after", "3")])
            }
            return body.contains(#""token":"reset""#) ? .reset(2) : ok
        }
        let tokens = ["fine", "dead", "huge", "reset"]
        let outcomes = await fixture.send(tokens.enumerated().map { android(UInt64($0 + 1), token: $1) })
        #expect(outcomes[1] == .accepted)
        let gone = Outcome.Gone(since: nil, isAmbiguous: false, reason: "FCM says 404 UNREGISTERED")
        #expect(outcomes[2] == .gone(gone))
        #expect(outcomes[3] == .retry(after: 3000, scope: .provider, reason: "FCM says 503"))
        guard case .unknown = outcomes[4] else { return #expect(Bool(false), "\(String(describing: outcomes[4]))") }
    }
}
