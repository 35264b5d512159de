// SPDX-License-Identifier: Apache-2.0

import Engine
import Synchronization

/// Who wants to know that a pipeline's links have something new to hear.
final class CallbackWatchers: Sendable {
    private let wakes = Mutex<[PipelineNumber: @Sendable () -> Void]>([:])

    func watch(_ pipeline: PipelineNumber, _ wake: (@Sendable () -> Void)?) {
        wakes.withLock { $0[pipeline] = wake }
    }

    func wake(_ pipelines: Set<PipelineNumber>) {
        guard !pipelines.isEmpty else { return }
        let called = wakes.withLock { wakes in pipelines.compactMap { wakes[$0] } }
        for wake in called { wake() }
    }
}
