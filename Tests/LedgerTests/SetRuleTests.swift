// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import RuleTesting
import SQLite
import Testing

@testable import SQLiteStore

/// Holds the statements that look at many rows at once against the rules for each of them.
@Suite("What the store says of many rows is what the rules say of each")
struct SetRuleTests {
    private static let bank = PipelineNumber(rawValue: 1)
    private static let marks: [WallTime?] = [nil, .noon - 1_001, .noon - 1_000, .noon - 999, .noon, .noon + 5]

    private func number(_ time: WallTime?) -> String { time.map { "\($0.milliseconds)" } ?? "NULL" }

    /// Stores a subscription; `bench` has a pipeline whose signs are a second fine.
    private func subscribe(
        _ bench: StoreBench,
        _ number: Int64,
        tokenAt: WallTime = .noon - 9_000,
        lastSuccess: WallTime? = nil,
        seen: WallTime? = nil
    ) throws {
        try bench.connection.execute(
            """
            INSERT INTO subscription (seq, pipeline, subscriber, user, app, device, platform, token, token_at, secret,
                registered, last_success, seen)
            VALUES (\(number), 1, 's', 'anna', 'retail', 'd\(number)', 0, 'aa', \(tokenAt.milliseconds), x'00', 0,
                \(self.number(lastSuccess)), \(self.number(seen)))
            """
        )
    }

    private func bench() throws -> StoreBench {
        let bench = try StoreBench()
        try bench.connection.execute("INSERT INTO pipeline (number, name, sign_interval) VALUES (1, 'bank', 1000)")
        return bench
    }

    @Test("A sign is written where it is worth it")
    func signs() throws {
        let bench = try bench()
        let signs = try LastSeenWrites(bench.connection)
        for (index, last) in Self.marks.enumerated() {
            let number = Int64(index) + 1
            try subscribe(bench, number, lastSuccess: last, seen: last)
            try signs.noteSuccess(of: number, at: .noon)
            try signs.noteReceipt(of: number, at: .noon)
            let isNoted = SubscriptionRule.isWorthNoting(at: .noon, after: last, every: 1_000)
            for column in ["last_success", "seen"] {
                let found = try bench.connection.integer("SELECT \(column) FROM subscription WHERE seq = \(number)")
                #expect(found == (isNoted ? WallTime.noon : last)?.milliseconds)
            }
        }
    }

    @Test("Silent is who was last heard of before")
    func silence() throws {
        let bench = try bench()
        var expected = 0
        var number: Int64 = 0
        for tokenAt in Self.marks.compactMap(\.self) {
            for success in Self.marks {
                for seen in Self.marks {
                    number += 1
                    try subscribe(bench, number, tokenAt: tokenAt, lastSuccess: success, seen: seen)
                    let last = SubscriptionRule.lastSeen(tokenAt: tokenAt, lastSuccess: success, seen: seen)
                    if last < .noon - 999 { expected += 1 }
                }
            }
        }
        let upkeep = try UpkeepWrites(bench.connection)
        #expect(try upkeep.endSilent(Self.bank, before: .noon - 999, limit: 1_000) == expected)
        #expect(expected > 0)
    }

    @Test("Of verdicts those are counted that stand")
    func verdicts() throws {
        let bench = try bench()
        let quarantine = try QuarantineWrites(
            bench.connection,
            removed: try RemovedSubscriptions(bench.connection)
        )
        var standing = 0
        var number: Int64 = 0
        for onlyToken in [nil, "aa", "bb"] {
            for tokenAt in Self.marks.compactMap(\.self) {
                for success in Self.marks {
                    number += 1
                    try subscribe(bench, number, tokenAt: tokenAt, lastSuccess: success)
                    let end = SubscriptionEnd(
                        subscription: number,
                        onlyToken: onlyToken,
                        registeredUntil: .noon - 1_000
                    )
                    let verdict = InvalidToken(end: end, reason: "410", at: .noon)
                    try quarantine.keep([verdict], by: "apns", in: Self.bank, waits: false)
                    let stands = SubscriptionRule.stands(verdict, token: "aa", tokenAt: tokenAt, lastSuccess: success)
                    if stands { standing += 1 }
                }
            }
        }
        let counted = try QuarantineReads(bench.connection).summaries(Self.bank).map(\.count)
        #expect(counted == [standing] && standing > 0)
        let taken = try quarantine.take(of: "apns", in: Self.bank, onlyWaiting: false, .forget)
        #expect(taken.result.decided == standing)
    }

    @Test("A notification is concluded when its time is over and nobody works on it")
    func conclusion() throws {
        let bench = try bench()
        var expected = 0
        for accepted in [WallTime.noon - 10_001, .noon - 10_000, .noon - 9_999] {
            for timeout in [0, 9_999, 10_000, 10_001] as [Int64] {
                for isOpen in [true, false] {
                    let state = DeliveryState(isOpen: isOpen, status: isOpen ? .queued : .expired, due: .noon)
                    let first = try bench.store(state)
                    try bench.connection.execute(
                        """
                        INSERT INTO notification (seq, pipeline, id, content, accepted, expires, first_delivery,
                            delivery_count, aftermath) VALUES (\(first), 1, 'n\(first)', x'00', \(accepted.milliseconds),
                            \((accepted + timeout).milliseconds), \(first), 1, 1)
                        """
                    )
                    let isOver = RetentionRule.isOver(
                        accepted: accepted,
                        expires: accepted + timeout,
                        hasOpen: isOpen,
                        now: .noon
                    )
                    if isOver { expected += 1 }
                }
            }
        }
        #expect(try bench.aftermath.concludePassed(Self.bank, now: .noon, limit: 1_000) == expected)
        #expect(expected > 0)
    }

    @Test("A bank hears of those whom no phone confirmed")
    func unconfirmed() throws {
        let bench = try bench()
        let link = LinkDeclaration(label: "bank", events: [], reportsUnconfirmed: true)
        _ = try bench.callbacks.declare([link], in: Self.bank)
        var unconfirmed = 0
        for state in DeliveryStates.all {
            _ = try bench.store(state)
            if state.isUnconfirmed { unconfirmed += 1 }
        }
        let all = 1..<Int64(DeliveryStates.all.count) + 1
        try bench.callbacks.tellUnconfirmed(all, notification: 1, pipeline: 1, at: .noon)
        #expect(try bench.connection.integer("SELECT count(*) FROM callback") == Int64(unconfirmed))
        #expect(unconfirmed > 0)
    }

    @Test("Of an app's events those are forgotten that the rule names")
    func events() throws {
        let bench = try bench()
        try subscribe(bench, 1)
        let signs = try LastSeenWrites(bench.connection)
        let receipts = try ReceiptWrites(bench.connection, changes: bench.changes, lastSeen: signs)
        var last: [String: WallTime] = [:]
        for number in 0..<(NewAppEvent.namesKept * 2) {
            // Some come again, some in the same moment.
            let name = "event \(number % 80)"
            let at = WallTime.noon + Int64(number / 2)
            try receipts.note(NewAppEvent(subscription: 1, name: name, at: at))
            last[name] = at
            for forgotten in RetentionRule.forgottenEvents(last) { last[forgotten] = nil }
            let names = last.keys.map { "'\($0)'" }.joined(separator: ",")
            let query = "SELECT count(*) FROM app_event WHERE name IN (\(names))"
            #expect(try bench.connection.integer(query) == Int64(last.count))
            #expect(try bench.connection.integer("SELECT count(*) FROM app_event") == Int64(last.count))
        }
    }
}
