// SPDX-License-Identifier: Apache-2.0

/// The rules in force, with what is left of each.
struct PushRules {
    private struct Entry {
        var rule: PushRule
        let since: Int64
        var seen = 0

        func isOver(at now: Int64) -> Bool { rule.times == 0 || rule.lasting.map { now - since >= $0 } ?? false }
    }

    /// Makes tokens alike that mean the same.
    private let form: @Sendable (String) -> String
    private var entries: [Entry] = []

    init(form: @escaping @Sendable (String) -> String = { $0 }) { self.form = form }

    /// Those that still meet something.
    func current(at now: Int64) -> [PushRule] { entries.filter { !$0.isOver(at: now) }.map(\.rule) }

    /// Puts rules in place of all others.
    mutating func replace(with rules: [PushRule], at now: Int64) {
        entries = rules.map { rule in
            var rule = rule
            rule.token = rule.token.map(form)
            return Entry(rule: rule, since: now)
        }
    }

    /// The first rule that meets a request for a token, at a time in milliseconds since 1970; uses it up by one.
    mutating func take(for token: String, at now: Int64) -> PushRule? {
        entries.removeAll { $0.isOver(at: now) }
        let token = form(token)
        for index in entries.indices where entries[index].rule.token.map({ $0 == token }) ?? true {
            entries[index].seen += 1
            guard entries[index].seen % entries[index].rule.every == 0 else { continue }
            let rule = entries[index].rule
            if let times = rule.times { entries[index].rule.times = times - 1 }
            return rule
        }
        return nil
    }
}
