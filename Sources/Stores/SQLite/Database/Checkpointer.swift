// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite
import Synchronization
import Threads

/// The thread that moves pages from the write-ahead log into the database, so that the writer never does.
///
/// It starts when the log has grown by a step. Where the log stays long although it moved everything it could (the
/// writer adds as fast), it asks the writer to rest for the little that is left, and the log begins anew. The log
/// keeps old pages until others take their place: where something was erased it is cut off, every ten seconds at most.
///
/// `@unchecked`: made by the opening thread, then touched by its own alone.
final class Checkpointer: @unchecked Sendable {
    private let connection: Connection
    private let mailbox: Mailbox<Int>
    private let writer: Mailbox<WriteJob>
    private let traces: ErasedTraces
    /// The log is not cut again before.
    private var nextCut = MonotonicTime.distantPast

    /// Pages of the log after which work begins: 16 MiB.
    static let step = 4_096
    /// Pages of the log from which on the writer has to rest: 64 MiB.
    static let limit = 16_384
    private static let attempts = 16
    /// In milliseconds, as those below.
    private static let between: Int64 = 20
    private static let cutInterval: Int64 = 10_000
    /// After readers stood in the way all the time.
    private static let cutRetryInterval: Int64 = 1_000

    init(connection: Connection, mailbox: Mailbox<Int>, writer: Mailbox<WriteJob>, traces: ErasedTraces) {
        self.connection = connection
        self.mailbox = mailbox
        self.writer = writer
        self.traces = traces
    }

    /// Works until the mailbox is closed.
    func run() {
        while let lengths = mailbox.take(until: traces.areLeft ? nextCut : nil) {
            // A failure (a full disk) leaves the log longer; the next step tries again.
            let progress = try? connection.checkpoint(.passive)
            if let progress, max(lengths.last ?? 0, progress.logged) >= Self.limit { restart(.restart) }
            if traces.areLeft, .now() >= nextCut { cut() }
        }
    }

    private func cut() {
        // Before the log is: what is erased meanwhile counts for the next time.
        traces.clear()
        let isDone = restart(.truncate)
        if !isDone { traces.note() }
        nextCut = .now().adding(milliseconds: isDone ? Self.cutInterval : Self.cutRetryInterval)
    }

    /// Has the log begin anew, and returns whether it did.
    ///
    /// Where a long read is in the way, the writer rests several times for a moment and not once until the read is over.
    @discardableResult
    private func restart(_ mode: Connection.CheckpointMode) -> Bool {
        for _ in 0..<Self.attempts {
            var isDone = false
            let pause = Pause()
            guard writer.postAlways(.pausing(pause)) else { return false }
            pause.whileWriterRests { isDone = (try? connection.checkpoint(mode)) != nil }
            if isDone { return true }
            // Only the end matters within this time: how long the log is will be seen.
            guard mailbox.take(until: .now().adding(milliseconds: Self.between)) != nil else { return false }
            // What came meanwhile, so that the next rest is short too.
            _ = try? connection.checkpoint(.passive)
        }
        return false
    }
}

/// Whether the log may still hold what was erased.
final class ErasedTraces: Sendable {
    private let flag = Atomic(false)

    var areLeft: Bool { flag.load(ordering: .acquiring) }
    func note() { flag.store(true, ordering: .releasing) }
    func clear() { flag.store(false, ordering: .releasing) }
}

/// The writer's side: says when the log has grown by a step, or holds what was erased.
struct CheckpointTrigger {
    private let mailbox: Mailbox<Int>
    private let traces: ErasedTraces
    private var told = 0

    init(_ mailbox: Mailbox<Int>, traces: ErasedTraces) {
        self.mailbox = mailbox
        self.traces = traces
    }

    mutating func committed(logPages: Int, hasErased: Bool) {
        if hasErased, !traces.areLeft {
            traces.note()
            // A full mailbox wakes the checkpointer as well.
            mailbox.post(logPages)
        }
        if logPages < told { told = 0 }
        guard logPages >= told + Checkpointer.step else { return }
        // A full mailbox means that the checkpointer is at work.
        if mailbox.post(logPages) { told = logPages }
    }
}
