// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import RuleTesting
import SQLite
import TestSupport
import Testing

@testable import SQLiteStore

/// Holds what the store writes against what the rules say, over every state that a delivery can be in.
@Suite("What the store writes is what the rules say")
struct FastPathTests {
    @Test("A row is read back as it was written, in every state")
    func rows() throws {
        let bench = try StoreBench()
        for state in DeliveryStates.all { #expect(try bench.state(of: bench.store(state)) == state) }
    }

    @Test("The plain settlement writes what the rule says, or nothing")
    func plain() throws {
        let bench = try StoreBench()
        let plain = try PlainSettlements(bench.connection)
        var written = 0
        for state in DeliveryStates.all {
            for settlement in DeliveryStates.settlements {
                let number = try bench.store(state)
                let told = settlement.of(number)
                let isWritten = try plain.write(told)
                let found = try bench.state(of: number)
                guard isWritten else {
                    #expect(found == state)
                    continue
                }
                written += 1
                let change = try #require(DeliveryRule.settle(state, told))
                #expect(found == change.row, "\(state) \(told)")
                #expect(try bench.devices(of: number) == 0)
                #expect(change.holds && change.entries.isEmpty && change.news.isEmpty && change.deadLettering == nil)
                #expect(!change.mayErase)
            }
        }
        #expect(written > 0)
    }

    @Test("Every settlement leaves the row that the rule names")
    func settlements() throws {
        let bench = try StoreBench()
        let writes = try SettlementWrites(
            bench.connection,
            changes: bench.changes,
            lastSeen: try LastSeenWrites(bench.connection)
        )
        for state in DeliveryStates.all {
            for settlement in DeliveryStates.settlements {
                let number = try bench.store(state)
                let told = settlement.of(number)
                try writes.settle(told)
                let change = DeliveryRule.settle(state, told)
                #expect(try bench.state(of: number) == change?.row ?? state, "\(state) \(told)")
                if change?.row.isOpen != true { #expect(try bench.devices(of: number) == 0) }
            }
        }
    }

    @Test("A code is erased where no delivery needs it any more, whatever the states of two of them")
    func erasing() throws {
        let bench = try StoreBench()
        let states = DeliveryStates.all.filter { $0.attempts == 0 && $0.sms.at == nil }
        for one in states {
            for other in states {
                let first = try bench.store(one)
                _ = try bench.store(other)
                try bench.connection.execute(
                    """
                    INSERT INTO notification (seq, pipeline, id, content, accepted, expires, first_delivery,
                        delivery_count, aftermath) VALUES (\(first), 1, 'n\(first)', x'00', 0, 0, \(first), 2, 1)
                    """
                )
                try bench.aftermath.eraseIfRead(first)
                #expect(bench.aftermath.takeErased() == (!one.needsContent && !other.needsContent))
            }
        }
    }
}

extension Settlement {
    fileprivate func of(_ number: Int64) -> Settlement {
        Settlement(
            delivery: number,
            status: status,
            at: at,
            nextAttempt: nextAttempt,
            attempts: attempts,
            channel: channel,
            device: device,
            finishedDevices: finishedDevices,
            parking: parking,
            outcomes: outcomes,
            sms: sms,
            phone: phone,
            notes: notes,
            isSecret: isSecret
        )
    }
}
