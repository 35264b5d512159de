// SPDX-License-Identifier: Apache-2.0

/// The rules in force, with what is left of each.
struct PushRules {
    /// Makes tokens alike that mean the same.
    private let form: @Sendable (String) -> String
    private var entries: [RuleEntry] = []

    init(form: @escaping @Sendable (String) -> String = { $0 }) { self.form = form }

    /// Those that still meet something.
    func current(at now: Int64) -> [PushRule] { entries.filter { !$0.isOver(at: now) }.map(\.rule) }

    /// Puts rules in place of all others.
    mutating func replace(with rules: [PushRule], at now: Int64) {
        entries = rules.map { rule in
            var rule = rule
            rule.token = rule.token.map(form)
            return RuleEntry(rule, since: now)
        }
    }

    /// The first rule that meets a request for a token on a connection, at a time in milliseconds since 1970; uses it
    /// up by one.
    mutating func take(for token: String, on connection: UInt64 = 0, at now: Int64) -> PushRule? {
        entries.removeAll { $0.isOver(at: now) }
        let token = form(token)
        for index in entries.indices where entries[index].rule.token.map({ $0 == token }) ?? true {
            if let rule = entries[index].meet(on: connection) { return rule }
        }
        return nil
    }
}

/// One rule, and how far it is.
struct RuleEntry {
    /// More connections than a stand-in has open at once: the oldest are those that have gone.
    private static let connectionLimit = 4096

    private(set) var rule: PushRule
    private let since: Int64
    private var all = Count()
    private var byConnection: [UInt64: Count] = [:]
    /// The first connections that brought a request it could meet.
    private var first: Set<UInt64> = []

    private struct Count {
        var seen = 0
        var met = 0
    }

    init(_ rule: PushRule, since: Int64) {
        self.rule = rule
        self.since = since
    }

    /// Whether it will meet nothing any more.
    func isOver(at now: Int64) -> Bool { rule.times == 0 || rule.lasting.map { now - since >= $0 } ?? false }

    /// Counts a request that it could meet; returns the rule where it does.
    mutating func meet(on connection: UInt64) -> PushRule? {
        if let limit = rule.connections {
            if first.count < limit { first.insert(connection) }
            guard first.contains(connection) else { return nil }
        }
        guard rule.isPerConnection else {
            guard Self.meets(rule, &all) else { return nil }
            defer { if let times = rule.times { rule.times = times - 1 } }
            return rule
        }
        if byConnection.count >= Self.connectionLimit, let oldest = byConnection.keys.min() {
            byConnection[oldest] = nil
        }
        let isSpent = rule.times.map { byConnection[connection, default: Count()].met >= $0 } ?? false
        return !isSpent && Self.meets(rule, &byConnection[connection, default: Count()]) ? rule : nil
    }

    private static func meets(_ rule: PushRule, _ count: inout Count) -> Bool {
        count.seen += 1
        guard count.seen > rule.after, (count.seen - rule.after) % rule.every == 0 else { return false }
        count.met += 1
        return true
    }
}
