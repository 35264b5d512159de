// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import PushService
import PushTesting
import Testing

@testable import APNs

@Suite(.timeLimit(.minutes(1)))
struct OutcomeTests {
    enum Class { case accepted, rejected, gone, ambiguous, unavailable, laterDelivery, laterProvider }

    private static func judgement(_ status: Int, _ body: String, _ headers: [HTTP2Header] = []) -> PushJudgement {
        let response = HTTP2Response(status: status, headers: headers, body: Array(body.utf8))
        return Answer(response, now: WallTime(milliseconds: 784_111_777_000)).judgement
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
        "Each of Apple's answers means one thing",
        arguments: [
            (200, "", .accepted), (400, "BadCollapseId", .rejected), (400, "BadExpirationDate", .rejected),
            (400, "BadMessageId", .rejected), (400, "BadPriority", .rejected), (400, "InvalidPushType", .rejected),
            (400, "PayloadEmpty", .rejected), (400, "DuplicateHeaders", .rejected),
            (400, "MissingDeviceToken", .rejected), (400, "BadDeviceToken", .ambiguous),
            (400, "DeviceTokenNotForTopic", .ambiguous), (400, "BadTopic", .unavailable),
            (400, "MissingTopic", .unavailable), (400, "TopicDisallowed", .unavailable),
            (400, "IdleTimeout", .laterDelivery), (403, "ExpiredProviderToken", .unavailable),
            (403, "InvalidProviderToken", .unavailable), (403, "MissingProviderToken", .unavailable),
            (403, "UnrelatedKeyIdInToken", .unavailable), (403, "BadEnvironmentKeyIdInToken", .unavailable),
            (403, "BadEnvironmentKeyInToken", .unavailable), (403, "BadCertificate", .unavailable),
            (403, "BadCertificateEnvironment", .unavailable), (403, "Forbidden", .unavailable),
            (404, "BadPath", .rejected), (405, "MethodNotAllowed", .rejected), (410, "Unregistered", .gone),
            (410, "ExpiredToken", .gone), (413, "PayloadTooLarge", .rejected), (429, "TooManyRequests", .laterDelivery),
            (429, "TooManyProviderTokenUpdates", .unavailable), (500, "InternalServerError", .laterProvider),
            (503, "ServiceUnavailable", .laterProvider), (503, "Shutdown", .laterProvider),
            (400, "SomethingNew", .rejected), (403, "SomethingNew", .unavailable), (410, "SomethingNew", .gone),
            (429, "SomethingNew", .laterDelivery), (502, "SomethingNew", .laterProvider),
            (302, "", .unavailable), (404, "", .unavailable), (405, "", .unavailable), (410, "", .ambiguous),
            (404, "SomethingNew", .rejected), (400, "", .rejected),
        ] as [(Int, String, Class)]
    )
    func table(status: Int, reason: String, expected: Class) {
        let judgement = Self.judgement(status, reason.isEmpty ? "" : #"{"reason":"\#(reason)"}"#)
        #expect(Self.kind(judgement.outcome) == expected)
    }

    @Test("Reasons are words an operator understands")
    func words() {
        #expect(
            Self.judgement(400, #"{"reason":"BadTopic"}"#).outcome
                == .unavailable(reason: "APNs says 400 BadTopic: check 'topic'")
        )
        #expect(
            Self.judgement(413, #"{"reason":"PayloadTooLarge"}"#).outcome
                == .rejected(reason: "APNs says 413 PayloadTooLarge")
        )
        #expect(
            Self.judgement(400, #"{"reason":"\#(String(repeating: "0a", count: 32))"}"#).outcome
                == .rejected(reason: "APNs says 400, for a reason that is new")
        )
        #expect(Self.judgement(500, "").outcome == .retry(after: nil, scope: .provider, reason: "APNs says 500"))
    }

    @Test(
        "The time of a death counts where it is one",
        arguments: [
            (#""timestamp":1700000000123,"#, 1_700_000_000_123), ("", nil), (#""timestamp":null,"#, nil),
            (#""timestamp":1.7e12,"#, 1_700_000_000_000), (#""timestamp":"1700000000123","#, 1_700_000_000_123),
        ] as [(String, Int64?)]
    )
    func timestamp(member: String, since: Int64?) {
        let gone = Outcome.Gone(
            since: since.map(WallTime.init(milliseconds:)),
            isAmbiguous: false,
            reason: "APNs says 410 Unregistered"
        )
        #expect(Self.judgement(410, #"{\#(member)"reason":"Unregistered"}"#).outcome == .gone(gone))
    }

    @Test(
        "A death at a time that cannot be read removes nothing",
        arguments: [#""x""#, #""+5""#, #""17e11""#, "-5", "0", "1e99", "true", "[]", "{}"]
    )
    func unreadableTimestamp(time: String) {
        let outcome = Self.judgement(410, #"{"timestamp":\#(time),"reason":"Unregistered"}"#).outcome
        #expect(outcome == .rejected(reason: "APNs says 410 Unregistered, with a timestamp that is none"))
    }

    @Test(
        "A body that is not Apple's leaves the status to judge by, and gets into no error",
        arguments: [
            "<html>502 SECRET</html>", "{", "[]", "null", #"{"reason":"two SECRET words"}"#, #"{"reason":7}"#, "\u{0}",
        ]
    )
    func foreignBodies(body: String) {
        #expect(Self.judgement(502, body).outcome == .retry(after: nil, scope: .provider, reason: "APNs says 502"))
        #expect(Self.judgement(400, body).outcome == .rejected(reason: "APNs says 400"))
    }

    @Test(
        "Retry-After is heeded, up to an hour",
        arguments: [
            ("7", 7000), (" 0 ", 0), ("99999", 3_600_000), ("99999999999999999999999", 3_600_000),
            ("Sun, 06 Nov 1994 08:50:00 GMT", 23_000), ("Sunday, 06-Nov-94 08:50:00 GMT", 23_000),
            ("Sun Nov  6 08:50:00 1994", 23_000), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
            ("soon", nil), ("", nil), ("-1", nil), ("Sun, 99 Foo 1994 08:50:00 GMT", nil),
        ] as [(String, Int64?)]
    )
    func retryAfter(value: String, expected: Int64?) {
        let header = HTTP2Header("retry-after", value)
        let outcome = Self.judgement(503, #"{"reason":"ServiceUnavailable"}"#, [header]).outcome
        #expect(outcome == .retry(after: expected, scope: .provider, reason: "APNs says 503 ServiceUnavailable"))
        let single = Self.judgement(429, #"{"reason":"TooManyRequests"}"#, [header]).outcome
        #expect(single == .retry(after: expected, scope: .delivery, reason: "APNs says 429 TooManyRequests"))
    }

    @Test(
        "A date in Retry-After counts from the answer's own Date, whatever the time is here",
        arguments: [-4200, 0, 4200]
    )
    func dateOfTheirs(offset: Int64) {
        let answered = "Sun, 06 Nov 1994 08:49:37 GMT"
        let wait = RetryAfter.milliseconds(
            "Sun, 06 Nov 1994 08:50:00 GMT",
            answered: answered,
            now: WallTime(seconds: 784_111_777 + offset)
        )
        #expect(wait == 23_000)
        // This suite's clock says 08:49:37 too.
        let headers = [
            HTTP2Header("retry-after", "Sun, 06 Nov 1994 10:00:02 GMT"),
            HTTP2Header("date", "Sun, 06 Nov 1994 10:00:00 GMT"),
        ]
        #expect(
            Self.judgement(503, "", headers).outcome == .retry(after: 2000, scope: .provider, reason: "APNs says 503")
        )
    }

    @Test("Answers reach the sink over the wire, each at its own delivery")
    func wire() async throws {
        let fixture = try Fixture { _, request in
            switch request.path.suffix(2) {
            case "02": answer(410, #"{"reason":"Unregistered","timestamp":1700000000000}"#)
            case "03": answer(503, String(repeating: "x", count: 100_000), [HTTP2Header("retry-after", "3")])
            case "04": .reset(2)
            default: ok
            }
        }
        let outcomes = await fixture.send((1...4).map { delivery($0, token: "0\($0)") })
        #expect(outcomes[1] == .accepted)
        let gone = Outcome.Gone(
            since: WallTime(milliseconds: 1_700_000_000_000),
            isAmbiguous: false,
            reason: "APNs says 410 Unregistered"
        )
        #expect(outcomes[2] == .gone(gone))
        #expect(outcomes[3] == .retry(after: 3000, scope: .provider, reason: "APNs says 503"))
        guard case .unknown = outcomes[4] else { return #expect(Bool(false), "\(String(describing: outcomes[4]))") }
    }

    @Test("Nobody there is the provider's fault, a certificate nobody trusts is ours")
    func failures() async throws {
        let stranger = try Fixture()
        let text =
            "{ endpoint: 'https://localhost:\(stranger.server.port)', topic: t, auth: \(Secrets.shared.keyAuth) }"
        let distrusting = try APNsChannel(settings: settings(text), context: .test)
        let first = Collector()
        distrusting.send([delivery()], to: first)
        guard case .unavailable(let reason)? = await first.outcomes(1)[1] else { return #expect(Bool(false)) }
        #expect(reason.hasPrefix("cannot connect to localhost:\(stranger.server.port): "))
        stranger.server.stop()
        let second = Collector()
        stranger.channel.send([delivery(1, seconds: 1)], to: second)
        guard case .retry(nil, .provider, _)? = await second.outcomes(1)[1] else { return #expect(Bool(false)) }
    }
}
