// SPDX-License-Identifier: Apache-2.0

import Engine
import Threads

/// What a node's thread is asked to do.
enum NodeJob: Sendable {
    /// Part of a transaction.
    struct Write: Sendable {
        /// Writes, and returns what completes the call once the transaction is committed.
        let perform: @Sendable (inout Transaction) -> () -> Void
        /// Completes the call with an error.
        let fail: @Sendable (LedgerError) -> Void
    }

    case write(Write)
    /// Answers from what is committed; `nil` where the node is gone.
    case read(@Sendable (Tables?) -> Void)
    /// Another node did something.
    case listen
}

/// A node's thread.
struct NodeLoop: Sendable {
    let store: MemoryStore
    let lease: Lease
    let listener: NodeListener
    let jobs: Mailbox<NodeJob>

    /// Works until the mailbox is closed and empty.
    func run() {
        while let taken = jobs.take() {
            var writes: [NodeJob.Write] = []
            for job in taken {
                if case .write(let write) = job {
                    writes.append(write)
                    continue
                }
                commit(&writes)
                switch job {
                case .write: break
                case .read(let answer): answer(store.read(lease))
                case .listen: listener.tell()
                }
            }
            commit(&writes)
        }
    }

    /// One transaction for all that gathered; those who watch hear of it before its callers do.
    private func commit(_ writes: inout [NodeJob.Write]) {
        guard !writes.isEmpty else { return }
        let result = store.transact(lease) { transaction in writes.map { $0.perform(&transaction) } }
        listener.tell()
        switch result {
        case .success(let completions): for complete in completions { complete() }
        case .failure(let error): for write in writes { write.fail(error) }
        }
        writes = []
    }
}
