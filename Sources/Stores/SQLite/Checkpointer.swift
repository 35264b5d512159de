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

    private func restart() {
        let pause = Pause()
        guard writer.postAlways(.pausing(pause)) else { return }
        pause.whileWriterRests { _ = try? connection.checkpoint(.restart) }
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
