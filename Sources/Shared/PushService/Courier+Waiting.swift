// SPDX-License-Identifier: Apache-2.0

import Bus
import Synchronization

/// What waits for a credential: at most what the bus has under way, and no longer than its deadlines.
struct CredentialLine {
    private var pushes: [InFlightPush] = []
    /// Whether somebody will call back about it.
    private(set) var isAwaited = false

    var isEmpty: Bool { pushes.isEmpty }

    /// Has pushes wait; returns whether they are the first, for whom somebody has to ask.
    mutating func wait(_ more: [InFlightPush]) -> Bool {
        pushes += more
        defer { isAwaited = true }
        return !isAwaited
    }

    /// Takes all out: the question is answered.
    mutating func takeAll() -> [InFlightPush] {
        defer { self = Self() }
        return pushes
    }

    /// Takes out what cannot wait any longer.
    mutating func takeLate(at now: MonotonicTime) -> [InFlightPush] {
        let late = pushes.filter { $0.delivery.deadline <= now }
        if !late.isEmpty { pushes.removeAll { $0.delivery.deadline <= now } }
        return late
    }
}

/// Waiting in a line, with no task or thread a delivery.
extension Courier {
    private static var glance: Duration { .milliseconds(250) }

    func wait(_ pushes: [InFlightPush]) {
        guard state.withLock({ $0.line.wait(pushes) }) else { return }
        provider.whenSettled { [self] standing in goOn(standing) }
        Task { await watch() }
    }

    /// Sends the line on its way, or tells why there is no credential.
    private func goOn(_ standing: PushCredential.Standing) {
        let pushes = takeLine()
        guard !pushes.isEmpty else { return finish() }
        switch standing {
        case .ready(let credential): dispatch(pushes, showing: credential)
        case .failed(let reason): report(pushes, .unavailable(reason: reason))
        case .awaited: submit(pushes)
        }
    }

    func takeLine() -> [InFlightPush] { state.withLock { $0.line.takeAll() } }

    /// Gives back what cannot wait any longer, for as long as a credential is awaited.
    private func watch() async {
        while let late = takeLate() {
            let reason = "the deadline passed while an access token was awaited"
            if !late.isEmpty { report(late, .retry(after: nil, scope: .provider, reason: reason)) }
            guard (try? await Task.sleep(for: Self.glance)) != nil else { return }
        }
    }

    /// What is too late; `nil` where nothing waits any more.
    private func takeLate() -> [InFlightPush]? {
        state.withLock { state in state.line.isAwaited ? state.line.takeLate(at: .now()) : nil }
    }
}
