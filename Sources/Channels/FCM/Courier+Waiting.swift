// SPDX-License-Identifier: Apache-2.0

import Bus
import Synchronization

/// What waits for an access token: in a line, with no task or thread a delivery.
extension Courier {
    private static let glance = Duration.milliseconds(250)

    func wait(_ flights: [Flight]) {
        let isFirst = state.withLock { state in
            state.line += flights
            defer { state.isAwaitingToken = true }
            return !state.isAwaitingToken
        }
        guard isFirst else { return }
        token.whenSettled { [self] standing in leave(standing) }
        Task { await watch() }
    }

    /// Sends the line on its way, or tells why there is none.
    private func leave(_ standing: TokenCycle.Standing) {
        let flights = takeLine()
        guard !flights.isEmpty else { return finish() }
        switch standing {
        case .ready(let issued): dispatch(flights, issued)
        case .failed(let reason): report(flights, .unavailable(reason: reason))
        case .awaited: submit(flights)
        }
    }

    func takeLine() -> [Flight] {
        state.withLock { state in
            defer {
                state.line = []
                state.isAwaitingToken = false
            }
            return state.line
        }
    }

    /// Gives back what cannot wait any longer, for as long as a token is awaited: ten seconds at most.
    private func watch() async {
        while let late = takeLate() {
            let reason = "the deadline passed while an access token was awaited"
            if !late.isEmpty { report(late, .retry(after: nil, scope: .provider, reason: reason)) }
            guard (try? await Task.sleep(for: Self.glance)) != nil else { return }
        }
    }

    /// What is too late; `nil` where nothing waits any more.
    private func takeLate() -> [Flight]? {
        let now = MonotonicTime.now()
        return state.withLock { state in
            guard state.isAwaitingToken else { return nil }
            let late = state.line.filter { $0.delivery.deadline <= now }
            if !late.isEmpty { state.line.removeAll { $0.delivery.deadline <= now } }
            return late
        }
    }
}
