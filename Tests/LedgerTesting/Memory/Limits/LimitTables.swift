// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

/// What is stopped, waits for a code, was used once or is counted.
struct LimitTables: Sendable {
    struct Item: Hashable, Sendable {
        let pipeline: PipelineNumber
        let name: String
    }

    var pauses: [Item: WallTime] = [:]
    var pending = PendingTable()
    var onces: [HashedKey: DueTime] = [:]
    var tallies = TallyTable()

    /// Takes a key; says whether it is new; ended ones go with those that come.
    mutating func once(_ key: HashedKey, until: WallTime, now: ClockReading) -> Bool {
        if let end = onces[key], OnceRule.isTaken(until: end, now: now.due) { return false }
        onces = onces.filter { OnceRule.isTaken(until: $0.value, now: now.due) }
        onces[key] = OnceRule.end(until, now: now)
        return true
    }
}

/// How often keys were used lately.
struct TallyTable: Sendable {
    /// The most keys: those that end first are forgotten for others.
    static let most = 65_536

    private var rows: [HashedKey: (tally: Tally, end: DueTime)] = [:]

    mutating func count(_ key: HashedKey, _ allowance: Allowance, at now: DueTime) -> CountVerdict {
        rows = rows.filter { $0.value.end > now }
        var tally = rows[key]?.tally ?? Tally(began: now)
        let verdict = tally.count(allowance, at: now)
        guard verdict == .counted else { return verdict }
        if rows[key] == nil, rows.count >= Self.most, let first = rows.min(by: { $0.value.end < $1.value.end }) {
            rows[first.key] = nil
        }
        rows[key] = (tally, tally.end(allowance.window))
        return verdict
    }

    mutating func uncount(_ key: HashedKey) { rows[key]?.tally.uncount() }
}
