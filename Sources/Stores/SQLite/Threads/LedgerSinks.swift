// SPDX-License-Identifier: Apache-2.0

import Engine
import Synchronization

/// Who wants to hear what happens in which pipeline.
final class LedgerSinks: Sendable {
    private let sinks = Mutex<[PipelineNumber: any LedgerEventSink]>([:])

    func watch(_ pipeline: PipelineNumber, _ sink: (any LedgerEventSink)?) {
        sinks.withLock { $0[pipeline] = sink }
    }

    func tell(_ events: [(pipeline: PipelineNumber, events: [LedgerEvent])]) {
        guard !events.isEmpty else { return }
        let told = sinks.withLock { sinks in events.map { sinks[$0.pipeline] } }
        for (sink, part) in zip(told, events) { sink?.take(part.events) }
    }
}
