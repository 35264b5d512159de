// SPDX-License-Identifier: Apache-2.0

import Bus
import CLinux
import Engine
import Glibc
import SQLite
import Threads

/// A thread that measures the store's files and its disk each second, and tries to write where writing failed: so the
/// store is found to work again although nobody dares to call.
final class StoreWatch: Sendable {
    /// Closed at the end.
    let stop = Mailbox<Void>(capacity: 1)
    private let path: String
    /// Which file it was at the start.
    private let file: FileIdentity?
    private let health: StoreHealth
    private let writer: Mailbox<WriteJob>
    private let checkpoints: Mailbox<Int>
    private let traces: ErasedTraces

    /// In milliseconds.
    private static let interval: Int64 = 1_000

    init(
        path: String,
        health: StoreHealth,
        writer: Mailbox<WriteJob>,
        checkpoints: Mailbox<Int>,
        traces: ErasedTraces
    ) {
        self.path = path
        file = FileIdentity(of: path)
        self.health = health
        self.writer = writer
        self.checkpoints = checkpoints
        self.traces = traces
        measure()
    }

    /// Works until `stop` is closed.
    func run() {
        while stop.take(until: .now().adding(milliseconds: Self.interval)) != nil {
            measure()
            if health.isFailing { probe() }
        }
    }

    private func measure() {
        let bytes = ["", "-wal", "-shm"].reduce(0) { $0 + Self.size(of: path + $1) }
        let isAway = file != nil && FileIdentity(of: path) != file
        health.measured(bytes: bytes, disk: DiskSpace(of: path), isAway: isAway)
    }

    /// A transaction that changes nothing but the count of commits; and what of the log is in the database is given up,
    /// which may be the room that is missing.
    private func probe() {
        traces.note()
        checkpoints.post(0)
        let nothing: Completion<Void> = { _ in }
        let errand = WriteErrand(isUrgent: true, nothing) { statements throws(SQLiteError) in
            try statements.touch()
        }
        writer.postAlways(WriteJob(work: .errand(errand), weight: 0, admission: nil))
    }

    private static func size(of file: String) -> Int {
        var facts = stat()
        return stat(file, &facts) == 0 ? Int(facts.st_size) : 0
    }
}
