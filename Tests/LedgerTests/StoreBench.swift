// SPDX-License-Identifier: Apache-2.0

import ClockTesting
import Engine
import SQLite
import TestSupport
import Testing

@testable import SQLiteStore

/// A store's own statements on a file of its own, within one transaction.
final class StoreBench {
    let connection: Connection
    let changes: DeliveryChanges
    let aftermath: AftermathWrites
    private let folder: TemporaryFolder
    let callbacks: CallbackWrites
    private let insert: Statement
    private let addDevice: Statement
    private let countDevices: Statement
    private var last: Int64 = 0

    init() throws {
        folder = try TemporaryFolder()
        try SQLiteLedger(path: folder.path("busd.db")).close()
        connection = try Connection(path: folder.path("busd.db"), mode: .readWrite)
        callbacks = try CallbackWrites(connection, schedule: ScheduleClock())
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
        insert.bind(state.sms.at, at: 2)
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
