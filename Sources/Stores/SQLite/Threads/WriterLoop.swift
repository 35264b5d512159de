// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite
import Threads

/// The one thread that writes: it takes all that waits, runs one transaction, commits, then completes the callers.
///
/// `@unchecked`: made by the opening thread, then touched by the writer's alone.
final class WriterLoop: @unchecked Sendable {
    private let connection: Connection
    private let transactions: (begin: Statement, commit: Statement)
    private let work: WriterStatements
    private let schedule: ScheduleClock
    private var mark: ScheduleMark
    private let mailbox: Mailbox<WriteJob>
    private let sweeps: SweepPositions
    private let sinks: LedgerSinks
    private let log = LogObserver()
    private let commits: CommitCounter
    private let health: StoreHealth
    private var checkpoints: CheckpointTrigger

    private var backlog = Backlog()
    private var done: [(job: WriteJob, result: WriteResult)] = []
    /// Whether a large accept is next where one waits: in between everything else has a transaction.
    private var isLargeTurn = true

    // Milliseconds: long enough to share the sync among many, short enough that an urgent notification hardly waits.
    private static let longest: Int64 = 5
    private static let longestUrgent: Int64 = 4
    // Somebody waits for this very commit.
    private static let longestBesideUrgent: Int64 = 2

    init(
        connection: Connection,
        mailbox: Mailbox<WriteJob>,
        sweeps: SweepPositions,
        schedule: ScheduleClock,
        sinks: LedgerSinks,
        commits: CommitCounter,
        health: StoreHealth,
        checkpoints: CheckpointTrigger
    ) throws(SQLiteError) {
        self.sinks = sinks
        self.commits = commits
        self.health = health
        self.connection = connection
        self.mailbox = mailbox
        self.sweeps = sweeps
        self.checkpoints = checkpoints
        work = try WriterStatements(connection, sweeps: sweeps, schedule: schedule)
        mark = try ScheduleMark(connection)
        self.schedule = schedule
        transactions = (try Statement("BEGIN IMMEDIATE", on: connection), try Statement("COMMIT", on: connection))
        connection.observeLog(log)
    }

    /// Works until the mailbox is closed and empty.
    func run() {
        while let taken = mailbox.take() {
            backlog.add(taken)
            while !backlog.isEmpty {
                if let pause = backlog.takePause() { pause.rest() } else { transact() }
                backlog.add(mailbox.take(until: .distantPast) ?? [])
            }
        }
    }

    private func transact() {
        let before = work.mark()
        var hasChanged = false
        do throws(SQLiteError) {
            try transactions.begin.run()
        } catch {
            return refuseAll(because: error)
        }
        do throws(SQLiteError) {
            let changes = connection.totalChanges
            try fill()
            hasChanged = connection.totalChanges != changes
            // What looks after passing time mostly finds nothing to do: that must not cost a sync.
            if hasChanged {
                try mark.keep(schedule.read().due)
                try commits.countThis()
            }
            try transactions.commit.run()
        } catch {
            return recover(from: error, to: before)
        }
        if hasChanged {
            commits.confirm()
            health.wrote()
        }
        checkpoints.committed(logPages: log.pages, hasErased: work.aftermath.takeErased())
        backlog.noteCommitted()
        handOn()
        for (job, result) in done {
            job.admission?.release(job.weight)
            job.succeed(result)
        }
        done.removeAll(keepingCapacity: true)
    }

    /// Does one large accept, or else what else there is: each has its turn.
    private func fill() throws(SQLiteError) {
        let isLarge = backlog.hasLarge && (isLargeTurn || !backlog.hasSmall)
        isLargeTurn = !isLarge
        guard isLarge, let job = backlog.takeLarge() else { return try fillWithSmall() }
        try perform(job, until: .distantPast)
    }

    /// Does urgent work, then bulk: at least one piece of it, so that neither waits for ever.
    private func fillWithSmall() throws(SQLiteError) {
        let start = MonotonicTime.now()
        let urgentEnd = start.adding(milliseconds: Self.longestUrgent)
        var end = start.adding(milliseconds: Self.longest)
        while let job = backlog.takeUrgent() {
            try perform(job, until: end)
            end = start.adding(milliseconds: Self.longestBesideUrgent)
            if .now() > urgentEnd { break }
        }
        while let job = backlog.takeBulk() {
            try perform(job, until: end)
            if .now() > end { break }
        }
    }

    private func perform(_ job: WriteJob, until deadline: MonotonicTime) throws(SQLiteError) {
        // Recorded first: whatever fails from here on fails this job too.
        done.append((job, .nothing))
        if case .settle(let settlements, let from, let completion) = job.work {
            let reached = try work.settle(settlements, from: from, until: deadline)
            if reached < settlements.count {
                let rest = WriteJob.Work.settle(settlements, from: reached, completion)
                backlog.putBack(WriteJob(work: rest, weight: job.weight, admission: job.admission))
                done.removeLast()
                return
            }
            done[done.count - 1].result = .settled
        } else {
            done[done.count - 1].result = try work.perform(job)
        }
    }

    /// Tells what was accepted to those who work on it, before any call completes: nothing can be settled before.
    private func handOn() {
        for (job, result) in done {
            guard case .accept(let wish) = job.work, case .accepted(let accepted) = result else { continue }
            if case .accepted = accepted {
                sweeps.arrived(wish.acceptance.pipeline, expires: wish.acceptance.expires)
            }
            work.note(wish.acceptance, accepted)
        }
        sinks.tell(work.takeEvents())
    }

    /// Fails all of a transaction and makes the connection ready for the next one.
    private func recover(from error: SQLiteError, to mark: WriterStatements.Mark) {
        rollBack()
        work.rewind(to: mark)
        self.mark.rewind()
        let failure = health.failed(error)
        for (job, _) in done { fail(job, failure) }
        done.removeAll(keepingCapacity: true)
        if let begun = backlog.takeBegun() { fail(begun, failure) }
    }

    /// No transaction can even begin: nothing that waits would fare better.
    private func refuseAll(because error: SQLiteError) {
        rollBack()
        let failure = health.failed(error)
        while let job = backlog.takeUrgent() ?? backlog.takeBulk() ?? backlog.takeLarge() { fail(job, failure) }
    }

    // Some failures end the transaction by themselves; where this fails, BEGIN will, and it is tried again.
    private func rollBack() {
        if connection.isInTransaction { try? connection.execute("ROLLBACK") }
    }

    private func fail(_ job: WriteJob, _ failure: LedgerError) {
        job.admission?.release(job.weight)
        job.fail(failure)
    }
}
