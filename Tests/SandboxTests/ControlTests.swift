// SPDX-License-Identifier: Apache-2.0

import JSON
import Sandbox
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ControlTests {
    @Test("Records and rules are reachable over HTTP")
    func control() async throws {
        let fixture = try SandboxFixture()
        let bearer = try fixture.bearer()
        let rule = #"{"rules":[{"token":"00FF","status":410,"reason":"Unregistered","timestamp":5,"times":2}]}"#
        #expect(try await fixture.control("PUT", "/rules", rule).status == 204)
        #expect(await fixture.push(["00ff", "0011"], bearer: bearer).map(\.words) == ["410 Unregistered", "200"])

        let all = try JSONValue(parsing: try await fixture.control("GET", "/records").body)["records"]?.array
        #expect(all?.count == 2)
        let one = try JSONValue(parsing: try await fixture.control("GET", "/records?token=00ff").body)["records"]?.array
        #expect(one?.count == 1)
        #expect(one?.first?["status"]?.integer == 410)
        #expect(one?.first?["body"]?["n"]?.integer == 0)
        #expect(one?.first?["headers"]?["apns-topic"]?.string == "com.example.bank")
        #expect(one?.first?["headers"]?["authorization"] == nil)

        let left = try JSONValue(parsing: try await fixture.control("GET", "/rules").body)["rules"]?.array?.first
        #expect(left?["times"]?.integer == 1)
        #expect(left?["timestamp"]?.integer == 5)
        let stats = try JSONValue(parsing: try await fixture.control("GET", "/stats").body)["apns"]
        #expect(stats?["connectionsAccepted"]?.integer == 1)
        #expect(try await fixture.control("DELETE", "/records").status == 204)
        #expect(try await fixture.control("GET", "/records").body == #"{"records":[]}"#)
        await fixture.stop()
    }

    @Test("A bad rule is explained and changes nothing")
    func badRules() async throws {
        let fixture = try SandboxFixture()
        fixture.sandbox.apns.setRules([PushRule(.drop)])
        #expect(try await fixture.control("PUT", "/rules", "{").status == 400)
        let answer = try await fixture.control("PUT", "/rules", #"{"rules":[{},{"effect":"x"}]}"#)
        #expect(answer.status == 422)
        #expect(answer.body.hasPrefix("rules[1].effect must be one of answer, silence"))
        #expect(try await fixture.control("POST", "/rules", "{}").status == 405)
        #expect(fixture.sandbox.apns.rules == [PushRule(.drop)])
        await fixture.stop()
    }

    @Test("Each service has its records and rules, and access tokens can be ended and changed")
    func services() async throws {
        let fixture = try SandboxFixture()
        let rules = #"{"rules":[{"service":"fcm","token":"aB","status":404},{"service":"oauth","times":1},{}]}"#
        #expect(try await fixture.control("PUT", "/rules", rules).status == 204)
        #expect(fixture.sandbox.fcm.rules.map(\.token) == ["aB"])
        #expect(fixture.sandbox.oauth.rules.count == 1 && fixture.sandbox.apns.rules.count == 1)
        let shown = try JSONValue(parsing: try await fixture.control("GET", "/rules").body)["rules"]?.array
        #expect(shown?.compactMap { $0["service"]?.string } == ["apns", "fcm", "oauth"])
        let wrong = try await fixture.control("PUT", "/rules", #"{"rules":[{"service":"gcm"}]}"#)
        #expect(wrong.status == 422 && wrong.body.hasPrefix("rules[0].service must be one of apns, fcm, oauth"))
        _ = await fixture.push(["00ff"], bearer: try fixture.bearer())
        let path = "/records?service=fcm"
        #expect(try await fixture.control("GET", path).body == #"{"records":[]}"#)
        #expect(try await fixture.control("DELETE", path).status == 204)
        #expect(fixture.sandbox.apns.records().count == 1)

        let change = #"{"lifetime":60,"clockAhead":-5}"#
        #expect(try await fixture.control("PUT", "/fcm/tokens", change).status == 204)
        #expect(
            try await fixture.control("GET", "/fcm/tokens").body == #"{"issued":0,"lifetime":60,"clockAhead":-5}"#
        )
        #expect(try await fixture.control("PUT", "/fcm/tokens", #"{"lifetime":0}"#).status == 422)
        #expect(try await fixture.control("DELETE", "/fcm/tokens").status == 204)
        await fixture.stop()
    }
}
