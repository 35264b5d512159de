// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import JSON
import RESTBank
import Testing
import YAML

@Suite("A bank is called over REST", .timeLimit(.minutes(1)))
struct LinkTests {
    private static let event = BankEvent(
        ticket: 7,
        kind: .expired,
        notification: "n\"1",
        users: ["Анна", "bob"],
        at: WallTime(milliseconds: 1_700_000_000_123)
    )
    private static let subject = SubscriptionSubject(bankClientID: "42", user: "Анна", deviceID: "D", platform: .ios)

    @Test("an event is posted with what happened, to whom and when, and signed")
    func event() async throws {
        try await FakeBank.with(status: 204, options: "secret: key") { bank in
            #expect(await told(Self.event, bank.link) == .accepted)
            let request = try #require(bank.requests.all.first)
            #expect(request.path == "/bank")
            #expect(request.headers["Content-Type"] == "application/json")
            #expect(
                try JSONValue(parsing: request.body) == [
                    "event": "expired", "notificationId": "n\"1", "userIds": ["Анна", "bob"],
                    "at": "2023-11-14T22:13:20.123Z",
                ]
            )
            let code = Hex.encode(HMACSHA256.code(for: request.body, key: Array("key".utf8)))
            #expect(request.headers["X-Busd-Signature"] == "sha256=\(code)")
        }
    }

    @Test("without a secret nothing is signed")
    func unsigned() async throws {
        try await FakeBank.with { bank in
            #expect(await told(Self.event, bank.link) == .accepted)
            #expect(bank.requests.all.map { $0.headers["X-Busd-Signature"] } == [nil])
        }
    }

    @Test(
        "an answer says whether to try again, and whether the bank or this event is the matter",
        arguments: [
            (500, Outcome.retry(after: nil, scope: .provider, reason: "the bank answered HTTP 500")),
            (503, .retry(after: 3_000, scope: .provider, reason: "the bank answered HTTP 503")),
            (422, .retry(after: nil, scope: .delivery, reason: "the bank answered HTTP 422")),
            (401, .unavailable(reason: "the bank answered HTTP 401")),
            (404, .unavailable(reason: "the bank answered HTTP 404")),
            (302, .unavailable(reason: "the bank answered HTTP 302")),
        ]
    )
    func outcomes(_ status: Int, _ outcome: Outcome) async throws {
        let headers = status == 503 ? [(name: "Retry-After", value: "3")] : []
        try await FakeBank.with(status: status, "{\"user\": \"Анна\"}", headers: headers) { bank in
            #expect(await told(Self.event, bank.link) == outcome)
        }
    }

    @Test("a Retry-After that is a date counts by the bank's clock")
    func dateOfTheirs() async throws {
        let headers = [
            (name: "Retry-After", value: "Sat, 07 Nov 2099 10:00:03 GMT"),
            (name: "Date", value: "Sat, 07 Nov 2099 10:00:00 GMT"),
        ]
        try await FakeBank.with(status: 503, "", headers: headers) { bank in
            guard case .retry(3_000, .provider, _) = await told(Self.event, bank.link) else {
                Issue.record("the wait is another")
                return
            }
        }
    }

    @Test("a bank out of reach is tried again")
    func unreachable() async throws {
        let link = try FakeBank.makeLink("http://127.0.0.1:1/bank")
        guard case .retry(nil, .provider, _) = await told(Self.event, link) else {
            Issue.record("not tried again")
            return
        }
        await #expect(throws: BankLinkError.self) { try await link.ask(.isAuthorized(Self.subject)) }
    }

    @Test(
        "each question has its path and fields",
        arguments: [
            (SubscriptionQuestion.isAuthorized(subject), "check", "platform", "IOS", #"{"authorized": true}"#),
            (.authorize(subject), "authorize", "platform", "IOS", #"{"result": "OK"}"#),
            (.verify(subject, code: "1234"), "verify", "verificationCode", "1234", #"{"result": "OK"}"#),
        ]
    )
    func questions(
        _ question: SubscriptionQuestion,
        _ verb: String,
        _ key: String,
        _ value: String,
        _ answer: String
    ) async throws {
        try await FakeBank.with(answer, options: "secret: key") { bank in
            #expect(try await bank.link.ask(question))
            let request = try #require(bank.requests.all.first)
            #expect(request.path == "/bank/subscriptions/\(verb)")
            #expect(request.headers["X-Busd-Signature"] != nil)
            let fields: [(String, JSONValue)] = [("bankClientId", "42"), ("userId", "Анна"), ("deviceId", "D")]
            #expect(try JSONValue(parsing: request.body) == JSONValue(members: fields + [(key, .string(value))]))
        }
    }

    @Test(
        "what a bank says no with is a no",
        arguments: [
            (SubscriptionQuestion.isAuthorized(subject), #"{"authorized": false}"#),
            (.authorize(subject), #"{"result": "ERROR"}"#),
            (.verify(subject, code: "1"), #"{"result": "VERIFICATION_FAILED"}"#),
        ]
    )
    func refusals(_ question: SubscriptionQuestion, _ answer: String) async throws {
        try await FakeBank.with(answer) { bank in
            let isYes = try await bank.link.ask(question)
            #expect(!isYes)
        }
    }

    @Test(
        "what is no answer is an error that repeats nothing of it",
        arguments: [
            (404, #"{"code": "BankClientNotExistsException"}"#, BankLinkError.unknownClient),
            (404, "{}", .notUnderstood("the bank answered HTTP 404")),
            (404, #"{"code": 404}"#, .notUnderstood("the bank answered HTTP 404")),
            (500, #"{"authorized": true}"#, .notUnderstood("the bank answered HTTP 500")),
            (
                200, #"{"authorized": "Анна"}"#,
                .notUnderstood("the bank answered HTTP 200 with none of the results it may give")
            ),
            (200, "<html>", .notUnderstood("the bank answered HTTP 200 without JSON")),
        ]
    )
    func failures(_ status: Int, _ answer: String, _ error: BankLinkError) async throws {
        try await FakeBank.with(status: status, answer) { bank in
            let thrown = await #expect(throws: BankLinkError.self) {
                try await bank.link.ask(.isAuthorized(Self.subject))
            }
            #expect(thrown == error)
        }
    }

    @Test(
        "options that cannot work are refused",
        arguments: [
            ("url: ftp://a", "'url' must begin with http:// or https://"),
            ("url: http://u:p@a/b", "'url' must hold no user or password"),
            ("url: http://a/b?c=d", "'url' must end with a path that more can follow"),
            ("url: http://a/b/", "'url' must end with a path that more can follow"),
            ("url: http://a\nsecret: \"\"", "'secret' must not be empty"),
            ("url: http://a\nevents: [read]", "'events'"),
            ("events: [expired]", "'url' is missing"),
        ]
    )
    func options(_ text: String, _ problem: String) throws {
        let node = try YAML.parse(text, file: "p.yaml")
        let error = try #require(throws: ConfigurationError.self) { try RESTBankLinkSettings.read(node) }
        #expect("\(error)".contains(problem))
    }

    @Test("a bank hears what was expired and opened unless it wants something else")
    func events() throws {
        #expect(try FakeBank.makeLink("http://a").events == [.expired, .opened])
        #expect(try !FakeBank.makeLink("http://a").reportsUnconfirmed)
        #expect(try FakeBank.makeLink("http://a", "report_unconfirmed: true").reportsUnconfirmed)
        #expect(try FakeBank.makeLink("http://a", "events: [failed, delivered]").events == [.failed, .delivered])
    }
}
