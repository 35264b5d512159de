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
    /// A store's own statements on a file of its own, within one transaction.
    private final class Bench {
        let connection: Connection
        let changes: DeliveryChanges
        let aftermath: AftermathWrites
        private let folder: TemporaryFolder
        private let insert: Statement
        private let addDevice: Statement
        private let countDevices: Statement
        private var last: Int64 = 0

        init() throws {
            folder = try TemporaryFolder()
            try SQLiteLedger(path: folder.path("busd.db")).close()
            connection = try Connection(path: folder.path("busd.db"), mode: .readWrite)
            let callbacks = try CallbackWrites(connection, schedule: ScheduleClock())
            aftermath = try AftermathWrites(connection, callbacks: callbacks)
            changes = try DeliveryChanges(connection, callbacks: callbacks, aftermath: aftermath)
            insert = try Statement(
                """
                INSERT INTO delivery (seq, notification, recipient, queue, priority, due, open, status, attempts, fallback)
                VALUES (?1, 1, 'anna', 256, 5, 0, 1, 0, 0, ?2)
                """,
                on: connection
            )
            addDevice = try Statement("INSERT INTO attempt (delivery, device) VALUES (?1, 99)", on: connection)
            countDevices = try Statement("SELECT count(*) FROM attempt WHERE delivery = ?1", on: connection)
            try connection.execute("BEGIN")
        }

        /// Stores a delivery in a state; returns its number.
        func store(_ state: DeliveryState) throws -> Int64 {
            last += 1
            insert.bind(last, at: 1)
            insert.bind(state.text.at, at: 2)
            try insert.run()
            try changes.rows.write(state, over: try #require(try changes.rows.find(last)))
            // As many as there may be: what ends has to leave none.
            if state.isOpen, state.mayKeepDevices {
                addDevice.bind(last, at: 1)
                try addDevice.run()
            }
            return last
        }

        func state(of delivery: Int64) throws -> DeliveryState? { try changes.rows.find(delivery)?.state }

        func devices(of delivery: Int64) throws -> Int64 {
            countDevices.bind(delivery, at: 1)
            defer { countDevices.reset() }
            return try countDevices.step() ? countDevices.integer(0) : 0
        }
    }

    @Test("A row is read back as it was written, in every state")
    func rows() throws {
        let bench = try Bench()
        for state in DeliveryStates.all { #expect(try bench.state(of: bench.store(state)) == state) }
    }

    @Test("The plain settlement writes what the rule says, or nothing")
    func plain() throws {
        let bench = try Bench()
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
                #expect(change.holds && change.entries.isEmpty && change.news.isEmpty && change.burial == nil)
                #expect(!change.mayErase)
            }
        }
        #expect(written > 0)
    }

    @Test("Every settlement leaves the row that the rule names")
    func settlements() throws {
        let bench = try Bench()
        let writes = try SettlementWrites(
            bench.connection,
            changes: bench.changes,
            signs: try SignWrites(bench.connection)
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
        let bench = try Bench()
        let states = DeliveryStates.all.filter { $0.attempts == 0 && $0.text.at == nil }
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
            text: text,
            phone: phone,
            notes: notes,
            isSecret: isSecret
        )
    }
}
