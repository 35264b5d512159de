// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite
import Threads

/// Everything a ledger is made of, opened and ready to start.
struct LedgerThreads {
    let identity: LedgerIdentity
    let schedule: ScheduleClock
    let writes = Mailbox<WriteJob>(capacity: .max)  // bounded by the admissions, which also count what was taken
    let admissions: AdmissionDesk
    let settlementAdmission: Admission
    let sweeps: SweepPositions
    let sinks = LedgerSinks()
    /// The keys that may be used once and were.
    let taken: OnceIndex
    let shortReads: Mailbox<ReadJob>
    let bulkReads: Mailbox<ReadJob>
    let longReads: Mailbox<ReadJob>
    let checkpoints = Mailbox<Int>(capacity: 1)
    let health: StoreHealth
    let watch: StoreWatch
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
        admissions = AdmissionDesk(limits)
        health = StoreHealth(path: file.path)
        watch = StoreWatch(
            path: file.path,
            health: health,
            writer: writes,
            checkpoints: checkpoints,
            traces: traces
        )
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
            identity = try LedgerIdentity(of: connection)
        } catch {
            throw LedgerError.failed("the store '\(file.path)' cannot be read: \(error)")
        }
        let commits = try CommitCounter(connection, path: file.path, identity: identity)
        do throws(SQLiteError) {
            schedule = ScheduleClock(notBefore: try ScheduleMark(connection).last(), readings: clocks)
            taken = try OnceWrites.read(connection, now: schedule.read().due)
            sweeps = SweepPositions(try PipelineWrites(connection).sweptUntil())
            writer = try WriterLoop(
                connection: connection,
                mailbox: writes,
                sweeps: sweeps,
                schedule: schedule,
                sinks: sinks,
                commits: commits,
                health: health,
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
            NamedThread("ledger-watch") { [watch] in watch.run() },
        ]
    }
}
