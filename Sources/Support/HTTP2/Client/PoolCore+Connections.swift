// SPDX-License-Identifier: Apache-2.0

internal import CNGHTTP2
internal import Synchronization
internal import Threads

/// When connections are opened, lost and closed.
extension PoolCore {
    private var hasOpen: Bool { connections.contains { $0.phase == .open } }
    private var hasOpening: Bool { connections.contains { $0.isOpening } }

    /// Opens the first connection when there is work, and more when the ones there are held up by the peer.
    func provideConnections() {
        guard waiting > 0 else { return blocked.set(blocked: false) }
        if hasOpening { return }
        guard hasOpen else {
            blocked.set(blocked: false)
            if backoff.notBefore <= now { openConnection() } else { giveUpIfHopeless() }
            return
        }
        let isHeldUp = connections.allSatisfy { $0.phase != .open || ($0.isProven && $0.pausedUntil <= now) }
        blocked.set(blocked: isHeldUp)
        guard isHeldUp, blocked.hasSucceeded, blocked.total >= configuration.growAfter else { return }
        guard connections.count < configuration.maxConnections, backoff.notBefore <= now else { return }
        blocked.restart()
        openConnection()
    }

    func openConnection() {
        // Those that drain count too: a peer that answers nothing and says goodbye must not cost sockets without end.
        guard connections.count < configuration.maxConnections * 2 else { return }
        let connection = ClientConnection(self)
        connections.append(connection)
        if let address = Resolver.numeric(configuration.host, configuration.port) {
            begin(connection, [address])
        } else {
            connection.phaseDeadline = now + configuration.connectTimeout
            loop.resolve(self)
        }
    }

    func resolved(_ result: Result<[Address], HTTP2Failure>) {
        guard let connection = connections.first(where: { $0.phase == .resolving }) else { return }
        switch result {
        case .success(let addresses): begin(connection, addresses)
        case .failure(let failure):
            connection.phase = .closed
            attemptFailed(connection, failure)
        }
    }

    private func begin(_ connection: ClientConnection, _ addresses: [Address]) {
        connection.addresses = addresses[...]
        guard let failure = connection.connectNext(now: now) else { return }
        connection.phase = .closed
        attemptFailed(connection, failure)
    }

    // MARK: What connections tell

    func opened(_ connection: ClientConnection) {
        connection.phase = .open
        connection.phaseDeadline = .max
        connection.lastUsed = now
        downSince = nil
        lastFailure = nil
        plan.shared.failure.withLock { $0 = nil }
        plan.shared.connects.add(1, ordering: .relaxed)
        isDirty = true
        answerProbes(nil)
    }

    func attemptFailed(_ connection: ClientConnection, _ failure: HTTP2Failure) {
        connections.removeAll { $0 === connection }
        backoff.fail(at: now)
        let failure = HTTP2Failure(failure.kind, "cannot connect to \(configuration.endpoint): \(failure.description)")
        note(failure)
        answerProbes(failure)
    }

    func lost(_ connection: ClientConnection) {
        connections.removeAll { $0 === connection }
        isDirty = true
        guard connection.hasCalm || !connection.hasAnswered, closesAt == nil else { return }
        backoff.fail(at: now)
        let why = connection.hasCalm ? "asks us to slow down" : "closes connections before it answers"
        note(HTTP2Failure(.connect, "\(configuration.endpoint) \(why)"))
    }

    func answered(_ status: Int) {
        if (200..<300).contains(status) { blocked.succeed() }
        backoff.succeed()
    }

    private func note(_ failure: HTTP2Failure) {
        isDirty = true
        guard !hasOpen else { return }
        downSince = downSince ?? now
        lastFailure = failure
        plan.shared.failure.withLock { $0 = failure }
    }

    /// Returns what waits in vain: TLS does not mend itself, and patience has an end.
    ///
    /// What would expire before the next attempt need not wait for it either.
    private func giveUpIfHopeless() {
        guard let lastFailure, let downSince else { return }
        let isHopeless = lastFailure.kind == .tls || downSince + configuration.connectPatience <= now
        let horizon = isHopeless ? Nanoseconds.max : backoff.notBefore
        var earliest = Nanoseconds.max
        let lost =
            urgent.removeExpired(at: horizon, earliest: &earliest)
            + bulk.removeExpired(at: horizon, earliest: &earliest)
        for exchange in lost { settle(exchange, .unsent(lastFailure)) }
    }

    // MARK: Time

    /// Called in every turn whose time is due.
    func tick() {
        for connection in connections { connection.tick(now) }
        closeIdle()
        if let closesAt { finishClosing(closesAt) }
    }

    private func closeIdle() {
        guard connections.count > 1 else { return }
        for connection in connections.dropFirst() where connection.isIdle(at: now) {
            connection.hasAnswered = true
            connection.retire()
        }
    }

    /// Settles whatever is too late.
    func sweep() {
        var earliest = Nanoseconds.max
        let waited =
            urgent.removeExpired(at: now, earliest: &earliest) + bulk.removeExpired(at: now, earliest: &earliest)
        for exchange in waited { settle(exchange, .unsent(lateness)) }
        for connection in connections {
            for exchange in connection.exchanges where !exchange.isSettled {
                if exchange.deadline > now {
                    earliest = min(earliest, exchange.deadline)
                } else {
                    connection.abandon(
                        exchange,
                        exchange.isWritten ? .unknown("no answer in time") : .unsent(lateness)
                    )
                }
            }
        }
        nextSweep = earliest == .max ? .max : max(earliest, now + 2 * millisecond)
    }

    private var lateness: HTTP2Failure {
        lastFailure ?? HTTP2Failure(.deadline, "the deadline passed before the request could be sent")
    }

    /// When the pool next has something to do by itself.
    var nextTurn: Nanoseconds {
        if isDirty { return now }
        var next = min(nextSweep, closesAt ?? .max)
        for connection in connections { next = min(next, connection.nextTick) }
        if waiting > 0, backoff.notBefore > now { next = min(next, backoff.notBefore) }
        if waiting > 0, let downSince, downSince + configuration.connectPatience > now {
            next = min(next, downSince + configuration.connectPatience)
        }
        if blocked.isBlocked, blocked.hasSucceeded, connections.count < configuration.maxConnections {
            next = min(next, now + (configuration.growAfter - min(configuration.growAfter, blocked.total)))
        }
        if connections.count > 1, let idle = connections.dropFirst().map(\.lastUsed).min() {
            next = min(next, max(idle + configuration.idleTimeout, now + second))
        }
        return next
    }

    // MARK: Closing

    /// Replaces all connections; what is in flight has until `deadline` to be answered.
    func reconnect(until deadline: Nanoseconds) {
        for connection in connections { connection.drain(until: deadline) }
        isDirty = true
    }

    /// Takes no more requests and ends at `deadline`, or sooner when all are answered.
    func close(until deadline: Nanoseconds) {
        closesAt = min(closesAt ?? .max, deadline)
        isDirty = true
    }

    /// Ends at `deadline` too, but sends nothing more.
    func retire(until deadline: Nanoseconds) {
        close(until: deadline)
        returnWaiting()
    }

    /// Whether nothing is left to do, and nobody left to ask for more.
    var isGone: Bool { isForgotten && waiting == 0 && connections.isEmpty }

    private func finishClosing(_ deadline: Nanoseconds) {
        let isDone = waiting == 0 && connections.allSatisfy { $0.exchanges.isEmpty }
        guard isDone || deadline <= now else { return }
        for connection in connections { connection.retire() }
        returnWaiting()
    }

    private func returnWaiting() {
        let failure = HTTP2Failure(.closed, "the pool is closed")
        for exchange in urgent.removeAll() + bulk.removeAll() { settle(exchange, .unsent(failure)) }
        answerProbes(failure)
    }
}
