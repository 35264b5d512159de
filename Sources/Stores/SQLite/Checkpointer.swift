// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite
import Threads

/// The thread that moves pages from the write-ahead log into the database, so that the writer never does.
///
/// It starts when the log has grown by a step. Where the log stays long although it moved everything it could (the
/// writer adds as fast), it asks the writer to rest for the little that is left, and the log begins anew.
///
/// `@unchecked`: made by the opening thread, then touched by its own alone.
final class Checkpointer: @unchecked Sendable {
    private let connection: Connection
    private let mailbox: Mailbox<Int>
    private let writer: Mailbox<WriteJob>

    /// Pages of the log after which work begins: 16 MiB.
    static let step = 4_096
    /// Pages of the log from which on the writer has to rest: 64 MiB.
    static let limit = 16_384
    private static let attempts = 16
    private static let between: Nanoseconds = 20_000_000

    init(connection: Connection, mailbox: Mailbox<Int>, writer: Mailbox<WriteJob>) {
        self.connection = connection
        self.mailbox = mailbox
        self.writer = writer
    }

    /// Works until the mailbox is closed.
    func run() {
        while let lengths = mailbox.take() {
            guard let length = lengths.last else { continue }
            // A failure (a full disk) leaves the log longer; the next step tries again.
            guard let progress = try? connection.checkpoint(.passive) else { continue }
            if max(length, progress.logged) >= Self.limit { restart() }
        }
    }

    /// Has the log begin anew; where a long read is in the way, the writer rests several times for a moment and not
    /// once until the read is over.
    private func restart() {
        for _ in 0..<Self.attempts {
            var isDone = false
            let pause = Pause()
            guard writer.postAlways(.pausing(pause)) else { return }
            pause.whileWriterRests { isDone = (try? connection.checkpoint(.restart)) != nil }
            // Only the end matters within this time: how long the log is will be seen.
            guard !isDone, mailbox.take(until: Clock.now() + Self.between) != nil else { return }
            // What came meanwhile, so that the next rest is short too.
            _ = try? connection.checkpoint(.passive)
        }
    }
}

/// The writer's side: says when the log has grown by a step.
struct CheckpointTrigger {
    private let mailbox: Mailbox<Int>
    private var told = 0

    init(_ mailbox: Mailbox<Int>) { self.mailbox = mailbox }

    mutating func committed(logPages: Int) {
        if logPages < told { told = 0 }
        guard logPages >= told + Checkpointer.step else { return }
        // A full mailbox means that the checkpointer is at work.
        if mailbox.post(logPages) { told = logPages }
    }
}
