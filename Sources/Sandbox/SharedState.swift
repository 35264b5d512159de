// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A mutex that several owners share.
final class SharedState<Value>: Sendable {
    let value: Mutex<Value>
    init(_ value: sending Value) { self.value = Mutex(value) }
}

/// What counts what arrives, and knows who waits for it.
protocol Awaited: SendableMetatype {
    var arrivals: Arrivals { get set }
    /// How many have arrived since the start or since all were forgotten.
    var total: Int { get }
}

extension SharedState where Value: Awaited {
    /// Waits until so many have arrived, or the task is cancelled.
    func arrived(_ count: Int) async {
        let id = value.withLock { $0.arrivals.newID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let done = value.withLock { state in
                    state.arrivals.add(id, until: Task.isCancelled ? 0 : count, continuation)
                    return state.arrivals.take(at: state.total)
                }
                for waiter in done { waiter.resume() }
            }
        } onCancel: {
            value.withLock { $0.arrivals.take(id) }?.resume()
        }
    }
}
