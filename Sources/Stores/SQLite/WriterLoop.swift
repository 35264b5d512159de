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
    private var work: WriterStatements
    private let schedule: ScheduleClock
    private var mark: ScheduleMark
    private let mailbox: Mailbox<WriteJob>
    private let sweeps: SweepPositions
    private let watchers: CallbackWatchers
    private let log = LogObserver()
    private var checkpoints: CheckpointTrigger

    private var backlog = Backlog()
    private var done: [(job: WriteJob, result: WriteResult)] = []
    private var batch = AcceptedBatch()

    // Long enough to share the sync among many, short enough that an urgent notification hardly waits.
    private static let longest: Nanoseconds = 5_000_000
    private static let longestUrgent: Nanoseconds = 4_000_000
    // Somebody waits for this very commit.
    private static let longestBesideUrgent: Nanoseconds = 2_000_000

    init(
        connection: Connection,
        mailbox: Mailbox<WriteJob>,
        sweeps: SweepPositions,
        schedule: ScheduleClock,
        watchers: CallbackWatchers,
        checkpoints: CheckpointTrigger
    ) throws(SQLiteError) {
        self.watchers = watchers
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
                backlog.add(mailbox.take(until: 0) ?? [])
            }
        }
    }

    private func transact() {
        let before = work.mark()
        do throws(SQLiteError) {
            try transactions.begin.run()
        } catch {
            return refuseAll(because: error)
        }
        do throws(SQLiteError) {
            try fill()
            try mark.keep(schedule.read().due)
            try transactions.commit.run()
        } catch {
            return recover(from: error, to: before)
        }
        checkpoints.committed(logPages: log.pages, hasErased: work.aftermath.takeErased())
        backlog.noteCommitted()
        handOn()
        watchers.wake(work.callbacks.takeWoken())
        for (job, result) in done {
            job.admission?.leave(job.weight)
            job.succeed(result)
        }
        done.removeAll(keepingCapacity: true)
    }

    /// Does urgent work, then bulk: at least one piece of it, so that neither waits for ever.
    private func fill() throws(SQLiteError) {
        let start = Clock.now()
        var end = start + Self.longest
        while let job = backlog.takeUrgent() {
            try perform(job, until: end)
            end = start + Self.longestBesideUrgent
            if Clock.now() - start > Self.longestUrgent { break }
        }
        while let job = backlog.takeBulk() {
            try perform(job, until: end)
            if Clock.now() > end { break }
        }
    }

    private func perform(_ job: WriteJob, until deadline: Nanoseconds) throws(SQLiteError) {
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
            batch.add(wish, accepted)
        }
        batch.deliver()
    }

    /// Fails all of a transaction and makes the connection ready for the next one.
    private func recover(from error: SQLiteError, to mark: WriterStatements.Mark) {
        rollBack()
        work.rewind(to: mark)
        self.mark.rewind()
        for (job, _) in done { fail(job, error) }
        done.removeAll(keepingCapacity: true)
        if let begun = backlog.takeBegun() { fail(begun, error) }
    }

    /// No transaction can even begin: nothing that waits would fare better.
    private func refuseAll(because error: SQLiteError) {
        rollBack()
        while let job = backlog.takeUrgent() ?? backlog.takeBulk() { fail(job, error) }
    }

    // Some failures end the transaction by themselves; where this fails, BEGIN will, and it is tried again.
    private func rollBack() {
        if connection.isInTransaction { try? connection.execute("ROLLBACK") }
    }

    private func fail(_ job: WriteJob, _ error: SQLiteError) {
        job.admission?.leave(job.weight)
        job.fail(.failed("the store could not write: \(error)"))
    }
}
