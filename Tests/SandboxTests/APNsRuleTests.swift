// SPDX-License-Identifier: Apache-2.0

import Crypto
import JSON
import Testing

@testable import Sandbox

struct APNsRuleTests {
    private var fixture: DeskFixture

    init() throws { fixture = try DeskFixture() }

    private mutating func outcomes(_ count: Int, after milliseconds: Int64 = 0) throws -> [String] {
        let request = try fixture.request()
        return (0..<count).map { _ in fixture.outcome(request, at: DeskFixture.now + milliseconds) }
    }

    private mutating func set(_ rules: PushRule...) { fixture.desk.rules.replace(with: rules, at: DeskFixture.now) }

    @Test("A rule is for its token and for so many times")
    mutating func times() throws {
        set(
            PushRule(token: "aaaa", status: 500, reason: "InternalServerError"),
            PushRule(token: "00ff", status: 503, reason: "ServiceUnavailable", times: 2)
        )
        #expect(try outcomes(3) == ["503 ServiceUnavailable", "503 ServiceUnavailable", "200"])
        #expect(fixture.desk.rules.current(at: DeskFixture.now).map(\.token) == ["aaaa"])
    }

    @Test("A rule can meet every third request only, and end by itself")
    mutating func every() throws {
        var rule = PushRule(.goaway)
        rule.every = 3
        rule.lasting = 1000
        set(rule)
        #expect(try outcomes(6).map { $0 == "200" } == [true, true, false, true, true, false])
        #expect(try outcomes(3, after: 1000) == ["200", "200", "200"])
    }

    @Test("A mistake is told before any rule is asked")
    mutating func order() throws {
        set(PushRule(.drop, times: 1))
        let request = try fixture.request(["apns-topic": nil])
        #expect(fixture.outcome(request) == "400 MissingTopic")
        #expect(try outcomes(1) == ["drop"])
    }

    @Test("A 410 has a timestamp in milliseconds, Retry-After and foreign bodies are sent")
    mutating func details() throws {
        set(PushRule(status: 410, reason: "Unregistered", times: 1))
        let request = try fixture.request()
        guard
            case .answer(410, _, let body) = fixture.desk.react(
                to: request,
                on: &fixture.connection,
                at: DeskFixture.now
            ).act
        else {
            Issue.record("no 410")
            return
        }
        #expect(try JSONValue(parsing: body)["timestamp"]?.integer == DeskFixture.now)
        var html = PushRule(status: 502, reason: nil)
        html.body = "<html>"
        html.retryAfter = "3"
        set(html)
        guard
            case .answer(502, let fields, let page) = fixture.desk.react(
                to: request,
                on: &fixture.connection,
                at: DeskFixture.now
            ).act
        else {
            Issue.record("no 502")
            return
        }
        #expect(fields["retry-after"] == "3")
        #expect(page == Array("<html>".utf8))
    }

    @Test("A rule survives being written and read")
    func json() throws {
        var rule = PushRule(token: "ab", status: 429, reason: "TooManyRequests", times: 4)
        rule.effect = .reset
        rule.retryAfter = "7"
        rule.timestamp = 5
        rule.delay = 20
        rule.streamLimit = 1
        rule.every = 2
        rule.after = 3
        rule.connections = 2
        rule.isPerConnection = true
        rule.lasting = 1000
        rule.body = "<p>\"</p>"
        for rule in [rule, PushRule()] {
            var writer = JSONWriter()
            rule.write(to: &writer)
            var fields = JSONFields(try JSONValue(parsing: writer.bytes))
            #expect(PushRule(&fields) == rule)
            #expect(fields.problems.isEmpty)
        }
    }

    @Test("What a rule cannot be is told")
    func problems() throws {
        let text = #"{"effect":"explode","status":99,"times":0,"dealy":5}"#
        var fields = JSONFields(try JSONValue(parsing: text))
        _ = PushRule(&fields)
        #expect(
            fields.problems.map { "\($0.path) \($0.message)" } == [
                "effect must be one of answer, silence, refuse, reset, goaway, drop", "status must be 200 to 599",
                "times must be 1 to 1000000000", "dealy is not known here",
            ]
        )
    }
}

struct RecordRingTests {
    @Test func theOldestAreForgotten() {
        var ring = RecordRing<Int>(capacity: 3)
        for number in 1...5 { ring.append(number) }
        #expect(ring.all == [3, 4, 5])
        #expect(ring.total == 5)
        ring.removeAll()
        #expect(ring.all.isEmpty)
    }
}
