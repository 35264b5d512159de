// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Lets tasks wait for something that happens once.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Creates a closed gate.
    public init() {}

    /// Waits until the gate is open; returns at once where it is.
    public func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Opens the gate, for good; returns whether it was closed.
    @discardableResult
    public func open() -> Bool {
        let (wasClosed, waiting) = state.withLock { state in
            defer { state = State(isOpen: true) }
            return (!state.isOpen, state.waiting)
        }
        for continuation in waiting { continuation.resume() }
        return wasClosed
    }
}
