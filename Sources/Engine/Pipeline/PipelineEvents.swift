// SPDX-License-Identifier: Apache-2.0

/// Hands what happens in the ledger to the dispatchers of a pipeline.
final class PipelineEvents: LedgerEventSink {
    private let dispatcher: Dispatcher
    private let callbacks: CallbackDispatcher

    init(_ dispatcher: Dispatcher, _ callbacks: CallbackDispatcher) {
        self.dispatcher = dispatcher
        self.callbacks = callbacks
    }

    func take(_ events: [LedgerEvent]) {
        for event in events {
            switch event {
            case .accepted(let notifications): dispatcher.accepted(notifications)
            case .waiting(let lane, let change): dispatcher.waiting(lane, change)
            case .closed(let delivery): dispatcher.received(delivery)
            case .reopened(let channel): dispatcher.reopened(channel)
            case .callbacks: callbacks.wake()
            case .paused(let item, let isPaused):
                dispatcher.pause(item, isPaused)
                callbacks.pause(item, isPaused)
            case .judged(let channel): dispatcher.decided(channel)
            case .reclaimed: dispatcher.reclaimed()
            }
        }
    }
}
