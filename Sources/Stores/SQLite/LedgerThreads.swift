// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite
import Threads

/// Everything a ledger is made of, opened and ready to start.
struct LedgerThreads {
    let identity: LedgerIdentity
    let schedule: ScheduleClock
    let writes = Mailbox<WriteJob>(capacity: .max)  // bounded by the admissions, which also count what was taken
    let admission: Admission
    let settlementAdmission: Admission
    let sweeps: SweepPositions
    let watchers = CallbackWatchers()
    let shortReads: Mailbox<ReadJob>
    let bulkReads: Mailbox<ReadJob>
    let longReads: Mailbox<ReadJob>
    let checkpoints = Mailbox<Int>(capacity: 1)
    private let traces = ErasedTraces()
    private let writer: WriterLoop
    private let checkpointer: Checkpointer
    private let shortReader: ReaderLoop
    private let bulkReader: ReaderLoop
    private let longReader: ReaderLoop

    init(
        file: DatabaseFile,
        limits: SQLiteLedger.Limits,
        clocks: ScheduleClock.Readings
    ) throws(LedgerError) {
        let connection = try file.openWriter()
        let checkpointConnection = try file.openCheckpointer()
        let readers = (try file.openReader(), try file.openReader(), try file.openReader())
        admission = Admission(limit: limits.writes)
        settlementAdmission = Admission(limit: limits.settlements)
        shortReads = Mailbox(capacity: limits.reads)
        bulkReads = Mailbox(capacity: limits.reads)
        longReads = Mailbox(capacity: limits.reads)
        checkpointer = Checkpointer(
            connection: checkpointConnection,
            mailbox: checkpoints,
            writer: writes,
            traces: traces
        )
        do throws(SQLiteError) {
            identity = try Self.identity(of: connection)
            schedule = ScheduleClock(notBefore: try ScheduleMark(connection).last(), readings: clocks)
            sweeps = SweepPositions(try PipelineWrites(connection).sweptUntil())
            writer = try WriterLoop(
                connection: connection,
                mailbox: writes,
                sweeps: sweeps,
                schedule: schedule,
                watchers: watchers,
                checkpoints: CheckpointTrigger(checkpoints, traces: traces)
            )
            shortReader = try ReaderLoop(connection: readers.0, mailbox: shortReads, schedule: schedule)
            bulkReader = try ReaderLoop(connection: readers.2, mailbox: bulkReads, schedule: schedule)
            longReader = try ReaderLoop(connection: readers.1, mailbox: longReads, schedule: schedule)
        } catch {
            throw LedgerError.failed("the store '\(file.path)' cannot be read: \(error)")
        }
    }

    /// Starts the threads, the writer first; they own the connections from now on and close them at their end.
    func start() -> [NamedThread] {
        [
            NamedThread("ledger-write") { [writer] in writer.run() },
            NamedThread("ledger-log") { [checkpointer] in checkpointer.run() },
            NamedThread("ledger-read") { [shortReader] in shortReader.run() },
            NamedThread("ledger-bulk") { [bulkReader] in bulkReader.run() },
            NamedThread("ledger-page") { [longReader] in longReader.run() },
        ]
    }

    private static func identity(of connection: Connection) throws(SQLiteError) -> LedgerIdentity {
        var random = SystemRandomNumberGenerator()
        let fresh = [random.next(), random.next()].flatMap { (word: UInt64) in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
        }
        let insert = try Statement(
            "INSERT INTO meta (key, value) VALUES ('identity', ?1) ON CONFLICT DO NOTHING",
            on: connection
        )
        insert.bind(fresh, at: 1)
        try insert.run()
        let read = try Statement("SELECT value FROM meta WHERE key = 'identity'", on: connection)
        defer { read.reset() }
        guard try read.step() else { throw SQLiteError(code: .corrupt, message: "its identity is missing") }
        let words = read.bytes(0)
        guard words.count == 16 else { throw SQLiteError(code: .corrupt, message: "its identity is damaged") }
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return LedgerIdentity(high: word(words[..<8]), low: word(words[8...]))
    }
}
