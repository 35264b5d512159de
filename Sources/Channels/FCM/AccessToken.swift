// SPDX-License-Identifier: Apache-2.0

import Bus
import PushService
import Synchronization

/// The OAuth access token of one service account, the same object for every channel that uses the account.
///
/// However many ask, there is one request at a time for a new one, and nobody's thread waits for it.
final class AccessToken: Sendable {
    /// What the token endpoint gives: a token, and how many seconds it lives.
    struct Grant: Sendable, Equatable {
        let token: String
        let life: Int64
    }

    /// Why it gives none, in words for operators, and for how many milliseconds it wants to be left alone.
    struct Failure: Error, Equatable {
        let reason: String
        let retryAfter: Int64?

        init(_ reason: String, retryAfter: Int64? = nil) {
            self.reason = reason
            self.retryAfter = retryAfter
        }
    }

    private struct State {
        var cycle = TokenCycle()
        var waiting: [@Sendable (PushCredential.Standing) -> Void] = []
    }

    private let log: Log
    private let clock: @Sendable () -> MonotonicTime
    private let fetch: @Sendable () async -> Result<Grant, Failure>
    private let state = Mutex(State())

    /// `fetch` asks the token endpoint; `clock` is the monotonic one.
    init(
        log: Log,
        clock: @escaping @Sendable () -> MonotonicTime = MonotonicTime.now,
        fetch: @escaping @Sendable () async -> Result<Grant, Failure>
    ) {
        self.log = log
        self.clock = clock
        self.fetch = fetch
    }

    /// What to show now; where that is awaited, see ``whenSettled(_:)``.
    func current() -> PushCredential.Standing {
        let (standing, isToAsk) = state.withLock { $0.cycle.ask(at: clock()) }
        if isToAsk { ask() }
        return standing
    }

    /// Calls `then` as soon as there is a token or a failure, perhaps at once.
    func whenSettled(_ then: @escaping @Sendable (PushCredential.Standing) -> Void) {
        let (standing, isToAsk) = state.withLock { state in
            let answer = state.cycle.ask(at: clock())
            if answer.standing == .awaited { state.waiting.append(then) }
            return answer
        }
        if isToAsk { ask() }
        if standing != .awaited { then(standing) }
    }

    /// Notes that the provider accepted a request with a token.
    func confirm(_ version: Int) { state.withLock { $0.cycle.confirm(version) } }

    /// Drops a token that the provider refuses before its end; returns whether the request is worth a repeat.
    func refuse(_ version: Int) -> Bool { state.withLock { $0.cycle.refuse(version, at: clock()) } }

    private func ask() {
        Task {
            let result = await fetch()
            settle(result)
        }
    }

    private func settle(_ result: Result<Grant, Failure>) {
        let now = clock()
        let (standing, waiting) = state.withLock { state in
            switch result {
            case .success(let grant): state.cycle.take(grant, at: now)
            case .failure(let failure): state.cycle.take(failure, at: now)
            }
            defer { state.waiting = [] }
            return (state.cycle.ask(at: now).standing, state.waiting)
        }
        if case .failure(let failure) = result, case .ready = standing {
            log.warning("the access token was not renewed; the old one is used on", ["reason": failure.reason])
        }
        for then in waiting { then(standing) }
    }
}
