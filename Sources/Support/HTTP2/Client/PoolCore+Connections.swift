// SPDX-License-Identifier: Apache-2.0

internal import Bus
internal import CNGHTTP2
internal import Synchronization

/// When connections are opened, lost and closed.
extension PoolCore {
    private var hasOpen: Bool { connections.contains { $0.phase == .open } }
    private var hasOpening: Bool { connections.contains { $0.isOpening } }

    /// Those that drain count too: a peer that answers nothing and says goodbye must not cost sockets without end.
    var connectionBound: Int { configuration.maxConnections * 2 + Self.spare }

    /// Opens the first connection when there is work, one beside those in doubt, and more when the ones there are held
    /// up by the peer.
    func provideConnections() {
        guard waiting > 0 else { return blocked.set(blocked: false) }
        guard hasOpen || hasOpening else {
            blocked.set(blocked: false)
            if backoff.notBefore <= now { openConnection() } else { giveUpIfHopeless() }
            return
        }
        if needsAnother || !connections.contains(where: isHopeful) {
            blocked.set(blocked: false)
            return canReplace ? replace() : ()
        }
        if !hasOpening { grow() }
    }

    private func grow() {
        let isHeldUp = connections.allSatisfy {
            $0.phase != .open || isInDoubt($0) || ($0.isProven && $0.pausedUntil <= now)
        }
        blocked.set(blocked: isHeldUp)
        guard isHeldUp, blocked.hasSucceeded, blocked.total >= configuration.growAfter else { return }
        guard connections.count < configuration.maxConnections, backoff.notBefore <= now else { return }
        blocked.restart()
        openConnection()
    }

    func openConnection() {
        guard connections.count < connectionBound else { return }
        lastNumber += 1
        let connection = ClientConnection(self, number: lastNumber)
        connections.append(connection)
        if let address = Resolver.numeric(configuration.host, configuration.port) {
            begin(connection, [address])
        } else {
            connection.phaseDeadline = now.adding(nanoseconds: configuration.connectTimeout)
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
        connection.addresses = ordered(addresses)[...]
        guard let failure = connection.connectNext(now: now) else { return }
        connection.phase = .closed
        attemptFailed(connection, failure)
    }

    /// Puts last the address at which another attempt hangs.
    private func ordered(_ addresses: [Address]) -> [Address] {
        let tried = connections.filter(\.isOpening).compactMap(\.address)
        return addresses.filter { !tried.contains($0) } + addresses.filter(tried.contains)
    }

    // MARK: What connections tell

    func opened(_ connection: ClientConnection) {
        connection.phase = .open
        connection.phaseDeadline = .distantFuture
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
        guard connection.hasCalm || !connection.hasAnswered, !connection.isGivenUp, closesAt == nil else { return }
        backoff.fail(at: now)
        let why = connection.hasCalm ? "asks us to slow down" : "closes connections before it answers"
        note(HTTP2Failure(.connect, "\(configuration.endpoint) \(why)"))
    }

    /// Notes an answer that took so many nanoseconds.
    func answered(_ status: Int, after time: UInt64) {
        patience.note(time)
        if ConnectionHealth.isGood(status) { lastGood = now }
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
        let isHopeless = lastFailure.kind == .tls || downSince.adding(nanoseconds: configuration.connectPatience) <= now
        let horizon = isHopeless ? MonotonicTime.distantFuture : backoff.notBefore
        var earliest = MonotonicTime.distantFuture
        let lost =
            urgent.removeExpired(at: horizon, earliest: &earliest)
            + bulk.removeExpired(at: horizon, earliest: &earliest)
            + removeLateMoved(at: horizon, earliest: &earliest)
        for exchange in lost { settle(exchange, .unsent(lastFailure)) }
    }

    // MARK: Time

    /// Called in every turn whose time is due.
    func tick() {
        for connection in connections { connection.tick(now) }
        tend()
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
        var earliest = MonotonicTime.distantFuture
        let waited =
            urgent.removeExpired(at: now, earliest: &earliest) + bulk.removeExpired(at: now, earliest: &earliest)
            + removeLateMoved(at: now, earliest: &earliest)
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
        let pause = now.adding(nanoseconds: 2 * millisecond)
        nextSweep = earliest == .distantFuture ? earliest : max(earliest, pause)
    }

    /// Why a request was not sent before its deadline.
    var lateness: HTTP2Failure {
        if let lastFailure { return lastFailure }
        // Beside those in doubt one that has shown nothing yet is no sign of life.
        let isAlive = connections.contains { connection in
            connection.phase == .open && !isInDoubt(connection) && (connection.hasAnswered || !hasDoubts)
        }
        guard isAlive else {
            return HTTP2Failure(.connect, "\(configuration.endpoint) does not answer")
        }
        return HTTP2Failure(.deadline, "the deadline passed before the request could be sent")
    }

    /// When the pool next has something to do by itself, seen from now.
    var nextTurn: MonotonicTime {
        if isDirty { return now }
        var next = min(nextSweep, closesAt ?? .distantFuture, nextDoubt)
        for connection in connections { next = min(next, connection.nextTick) }
        if waiting > 0, backoff.notBefore > now { next = min(next, backoff.notBefore) }
        if waiting > 0, let end = downSince?.adding(nanoseconds: configuration.connectPatience), end > now {
            next = min(next, end)
        }
        if blocked.isBlocked, blocked.hasSucceeded, connections.count < configuration.maxConnections {
            let left = configuration.growAfter - min(configuration.growAfter, blocked.total)
            next = min(next, now.adding(nanoseconds: left))
        }
        if connections.count > 1, let idle = connections.dropFirst().map(\.lastUsed).min() {
            let end = idle.adding(nanoseconds: configuration.idleTimeout)
            next = min(next, max(end, now.adding(nanoseconds: second)))
        }
        return next
    }

    // MARK: Closing

    /// Replaces all connections; what is in flight has until `deadline` to be answered.
    func reconnect(until deadline: MonotonicTime) {
        for connection in connections { connection.drain(until: deadline) }
        isDirty = true
    }

    /// Takes no more requests and ends at `deadline`, or sooner when all are answered.
    func close(until deadline: MonotonicTime) {
        closesAt = min(closesAt ?? .distantFuture, deadline)
        isDirty = true
    }

    /// Ends at `deadline` too, but sends nothing more.
    func retire(until deadline: MonotonicTime) {
        close(until: deadline)
        returnWaiting()
    }

    /// Whether nothing is left to do, and nobody left to ask for more.
    var isGone: Bool { isForgotten && waiting == 0 && connections.isEmpty }

    private func finishClosing(_ deadline: MonotonicTime) {
        let isDone = waiting == 0 && connections.allSatisfy { $0.exchanges.isEmpty }
        guard isDone || deadline <= now else { return }
        for connection in connections { connection.retire() }
        returnWaiting()
    }

    private func returnWaiting() {
        let failure = HTTP2Failure(.closed, "the pool is closed")
        let left = moved + urgent.removeAll() + bulk.removeAll()
        moved = []
        for exchange in left { settle(exchange, .unsent(failure)) }
        answerProbes(failure)
    }
}
