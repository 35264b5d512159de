// SPDX-License-Identifier: Apache-2.0

public import Engine
import SQLite
import Synchronization
import Threads

/// A ledger in one SQLite file.
///
/// One thread writes and shares each sync among all that waits, one moves the log into the file, one answers those who
/// wait, one the bulk lane and one long questions. All calls return at once and complete on one of these threads.
public final class SQLiteLedger: Ledger {
    /// What makes the message ids of this ledger unlike any other's.
    public let identity: LedgerIdentity
    /// The clock that stored waits are measured by.
    public let schedule: ScheduleClock

    /// The only node's: it lasts as long as this holds the file's lock.
    public let lease: Lease

    /// Whether its file was made just now.
    public let isNew: Bool
    /// Whether whoever had it open last did not come to close it: its log was there, and is taken up.
    public let wasLeftOpen: Bool

    let longReads: Mailbox<ReadJob>
    let sweeps: SweepPositions
    let sinks: LedgerSinks
    let taken: TakenKeys
    let writes: Mailbox<WriteJob>
    private let shortReads: Mailbox<ReadJob>
    private let bulkReads: Mailbox<ReadJob>
    private let checkpoints: Mailbox<Int>
    private let admissions: AdmissionDesk
    private let settlementAdmission: Admission
    private let health: StoreHealth
    private let watch: StoreWatch
    private let lock: FileLock
    private let threads: Mutex<[NamedThread]?>

    /// How much may wait.
    public struct Limits: Sendable {
        /// Accepts of one pipeline and lane, and, in rooms of their own, registrations of one pipeline, receipts and the
        /// like: one for each call, each recipient and each KiB.
        public var writes = 32_768
        /// Large accepts (a thousand recipients or more) of one pipeline and lane, counted in the same way.
        public var largeWrites = 131_072
        /// Settlements; they end work that is itself bounded, so this is wide.
        public var settlements = 524_288
        /// Questions.
        public var reads = 16_384

        /// The limits for a node of its own.
        public init() {}
    }

    /// Opens or makes a database and brings it up to date.
    ///
    /// - Parameters:
    ///   - path: the file; its directory is made where only the last part of it is missing.
    ///   - limits: how much may wait.
    ///   - vfs: the name of a registered SQLite VFS, for tests; `nil` for the system's.
    ///   - clocks: what waits are measured by: tests turn them.
    /// - Throws: ``LedgerError/failed(_:)``, with what to do about it.
    public init(
        path: String,
        limits: Limits = Limits(),
        vfs: String? = nil,
        clocks: ScheduleClock.Readings = .system
    ) throws(LedgerError) {
        let file = DatabaseFile(path: path, vfs: vfs)
        isNew = try file.makeIfMissing()
        lock = try FileLock(on: path)
        wasLeftOpen = file.hasLog
        let parts = try LedgerThreads(file: file, limits: limits, clocks: clocks)
        identity = parts.identity
        schedule = parts.schedule
        writes = parts.writes
        admissions = parts.admissions
        health = parts.health
        watch = parts.watch
        settlementAdmission = parts.settlementAdmission
        sweeps = parts.sweeps
        sinks = parts.sinks
        lease = Lease(node: 1, epoch: schedule.read().due.milliseconds)
        taken = TakenKeys(parts.taken)
        shortReads = parts.shortReads
        bulkReads = parts.bulkReads
        longReads = parts.longReads
        checkpoints = parts.checkpoints
        threads = Mutex(parts.start())
    }

    deinit { close() }

    /// Finishes all writes that were taken, closes files and ends threads.
    public func close() {
        guard let running = threads.withLock({ $0.take() }) else { return }
        shortReads.close()
        bulkReads.close()
        longReads.close()
        checkpoints.close()
        watch.stop.close()
        // The writer's connection is the last to close: it alone can move the rest of the log into the file.
        for thread in running.dropFirst() { thread.join() }
        writes.close()
        running.first?.join()
        lock.release()
    }

    /// Whether the ledger is open: as long as it is, no other process can open its file.
    public var holdsLease: Bool { threads.withLock { $0 != nil } }

    /// How the store is now.
    public var condition: StoreCondition { health.condition }

    // MARK: Handing over work

    /// Has the writer do something; `endsWork` where it is about work that was admitted before, and is bounded by that.
    func write(_ work: WriteJob.Work, weight: Int, endsWork: Bool = false) {
        let admission = endsWork ? settlementAdmission : admissions.room(for: work, weight: weight)
        let job = WriteJob(work: work, weight: weight, admission: admission)
        if work.isNew, let refusal = health.refusal { return job.fail(refusal) }
        guard admission.enter(weight) else { return job.fail(.overloaded) }
        guard !writes.postAlways(job) else { return }
        admission.release(weight)
        job.fail(.closed)
    }

    func read<Value: Sendable>(
        for line: ReadLine = .somebody,
        _ completion: @escaping Completion<Value>,
        _ read: @escaping @Sendable (ReaderStatements) throws -> Value
    ) {
        let job = ReadJob(completion, read)
        let mailbox =
            switch line {
            case .somebody: shortReads
            case .bulk: bulkReads
            case .pages: longReads
            }
        guard !mailbox.post(job) else { return }
        job.fail(threads.withLock { $0 == nil } ? .closed : .overloaded)
    }
}

/// Which of the reading threads answers: what is slow or much does not delay what somebody waits for.
enum ReadLine {
    /// A person, a bank or an urgent delivery waits.
    case somebody
    /// Devices of bulk deliveries.
    case bulk
    /// Long questions.
    case pages
}
