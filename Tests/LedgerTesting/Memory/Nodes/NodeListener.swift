// SPDX-License-Identifier: Apache-2.0

import Engine
import Synchronization
import Threads

/// What one node is still to hear, and who on it wants to.
final class NodeListener: Sendable {
    private typealias Part = (pipeline: PipelineNumber, events: [LedgerEvent])

    private let sinks = Mutex<[PipelineNumber: any LedgerEventSink]>([:])
    private let inbox = Mutex<[ToldEvent]>([])
    private let jobs: Mailbox<NodeJob>

    init(_ jobs: Mailbox<NodeJob>) { self.jobs = jobs }

    func watch(_ pipeline: PipelineNumber, _ sink: (any LedgerEventSink)?) {
        sinks.withLock { $0[pipeline] = sink }
    }

    /// Puts what a commit did into the inbox; commits come one at a time, so its order is theirs.
    func hear(_ events: [ToldEvent], isOwn: Bool) {
        let heard = events.filter { isOwn || !$0.isOfOneNode }
        guard !heard.isEmpty else { return }
        inbox.withLock { $0 += heard }
        if !isOwn { jobs.postAlways(.listen) }
    }

    /// Tells all there is; on the node's thread.
    func tell() {
        let heard = inbox.withLock { inbox in
            defer { inbox = [] }
            return inbox
        }
        var parts: [Part] = []
        for told in heard {
            if parts.last?.pipeline == told.pipeline {
                parts[parts.count - 1].events.append(told.event)
            } else {
                parts.append((told.pipeline, [told.event]))
            }
        }
        for part in parts { sinks.withLock { $0[part.pipeline] }?.take(part.events) }
    }
}
