// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Sandbox

/// Rules that fail by connection.
struct ConnectionRuleTests {
    private func rules(_ change: (inout PushRule) -> Void) -> PushRules {
        var rule = PushRule(.silence)
        change(&rule)
        var rules = PushRules()
        rules.replace(with: [rule], at: 0)
        return rules
    }

    /// For each request in order, by the number of its connection: whether the rule meets it.
    private func met(_ rules: PushRules, _ connections: [UInt64]) -> [Bool] {
        var rules = rules
        return connections.map { rules.take(for: "t", on: $0, at: 0) != nil }
    }

    @Test("The first connection always fails: the first that brings a request, whatever its number")
    func first() {
        let rules = rules { $0.connections = 1 }
        #expect(met(rules, [7, 8, 7, 3, 7]) == [true, false, true, false, true])
    }

    @Test("A connection fails after so many requests")
    func after() {
        let rules = rules {
            $0.connections = 1
            $0.after = 2
        }
        #expect(met(rules, [1, 2, 1, 1, 2, 1]) == [false, false, false, true, false, true])
    }

    @Test("The first request of each connection fails")
    func each() {
        let rules = rules {
            $0.times = 1
            $0.isPerConnection = true
        }
        #expect(met(rules, [1, 1, 2, 2, 1, 3]) == [true, false, true, false, false, true])
    }

    @Test("Every third request of each connection fails, after the first one")
    func every() {
        let rules = rules {
            $0.every = 3
            $0.after = 1
            $0.isPerConnection = true
        }
        #expect(met(rules, [1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1]).map { $0 ? 1 : 0 } == [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1])
    }

    @Test("Connections without end cost memory with an end")
    func memory() {
        let rules = rules {
            $0.times = 1
            $0.isPerConnection = true
        }
        #expect(met(rules, (1...10_000).map { $0 }).allSatisfy { $0 })
    }

    @Test("A gateway has no connections to tell apart")
    func gateway() {
        var rule = PushRule()
        #expect(rule.problem(for: .sms) == nil)
        rule.isPerConnection = true
        #expect(rule.problem(for: .sms)?.key == "perConnection")
        rule.connections = 2
        #expect(rule.problem(for: .sms)?.key == "connections")
        #expect(rule.problem(for: .fcm) == nil)
    }
}
