// SPDX-License-Identifier: Apache-2.0

import Threads

/// A meeting of writer and checkpointer: the writer rests between two transactions until the other is done.
///
/// Without it a busy writer adds pages as fast as checkpoints move them, and the log never begins anew.
final class Pause: Sendable {
    private let reached = Mailbox<Bool>(capacity: 1)
    private let over = Mailbox<Void>(capacity: 1)

    /// The checkpointer's side: runs `work` while the writer rests; not at all where the writer is closing.
    func whileWriterRests(_ work: () -> Void) {
        defer { over.close() }
        if reached.take()?.first == true { work() }
    }

    /// The writer's side.
    func rest() {
        reached.post(true)
        _ = over.take()
    }

    /// The writer will not rest.
    func skip() { reached.post(false) }
}
