// SPDX-License-Identifier: Apache-2.0

internal import Bus
internal import Synchronization

/// What is done about connections in doubt (``ConnectionHealth``): nothing new goes over them while there is another,
/// another is opened beside them, urgent requests are taken off them, and once another has served they go.
extension PoolCore {
    /// How often one request is taken elsewhere at most; then it waits where it is.
    private static let moves = 3
    /// What was moved so often no longer waits for a fresh connection: perhaps it is the first request of each that
    /// nobody answers.
    static let movesToFresh = 1
    /// How long one that was taken off a connection waits for another one before it takes what there is.
    private static let detour = second
    /// After so long without a replacement the next pause between them is a short one again.
    private static let calm = 60 * second
    /// How long a doubt is remembered.
    private static let memory = 5 * second
    /// Connections beyond those that serve: in doubt, or at their end.
    static let spare = 2

    func isInDoubt(_ connection: ClientConnection) -> Bool {
        connection.health.isFailing || isSilent(connection)
    }

    private func isSilent(_ connection: ClientConnection) -> Bool {
        connection.health.isSilent(for: limit(connection), at: now)
    }

    /// How long a connection may answer nothing: less where it has shown nothing yet and others are, or just were, in
    /// doubt too.
    private func limit(_ connection: ClientConnection) -> UInt64 {
        let isTroubled = hasDoubts || lastReplacement.adding(nanoseconds: Self.memory) > now
        return isTroubled && !connection.hasAnswered ? patience.limit / 2 : patience.limit
    }

    /// Whether requests that wait may expect something of a connection: it is well, or about to open.
    func isHopeful(_ connection: ClientConnection) -> Bool {
        if connection.isOpening { return connection.startedAt.adding(nanoseconds: patience.limit) > now }
        return connection.phase == .open && !isInDoubt(connection)
    }

    /// Whether a connection may be opened now in place of those in doubt.
    var canReplace: Bool {
        backoff.notBefore <= now && replacement.notBefore <= now && connections.count < connectionBound
    }

    /// Opens a connection beside those in doubt; pauses grow, for a far end that is down must not be flooded.
    func replace() {
        noteReplacement()
        let doubted = connections.filter { $0.phase == .open && isInDoubt($0) }
        // The one on trial longest has had its chance.
        if doubted.count >= Self.spare, let oldest = doubted.min(by: { $0.startedAt < $1.startedAt }) {
            abandon(oldest)
        }
        openConnection()
    }

    private func noteReplacement() {
        if lastReplacement.adding(nanoseconds: Self.calm) <= now { replacement.succeed() }
        lastReplacement = now
        replacement.fail(at: now)
    }

    // MARK: Each turn

    /// Looks after the connections in doubt.
    func tend() {
        hasDoubts = false
        for connection in connections where connection.phase == .open && isInDoubt(connection) {
            hasDoubts = true
            if isSilent(connection) { rescue(connection) }
            endDoubt(connection)
        }
    }

    /// Ends a connection in doubt where another one has shown meanwhile that the provider is well.
    ///
    /// A connection's own good answer would have ended the doubt, so a later one came from another.
    private func endDoubt(_ connection: ClientConnection) {
        if let since = connection.health.silentSince, since < lastGood,
            connection.health.isSilent(for: configuration.giveUpAfter, at: now)
        {
            connection.isGivenUp = true
            connection.retire("the connection answered nothing while another one did")
        } else if let since = connection.health.failingSince, connection.health.isFailing, since < lastGood,
            replacement.notBefore <= now
        {
            noteReplacement()
            abandon(connection)
        }
    }

    /// Puts nothing on a connection any more; what is on it may be answered.
    private func abandon(_ connection: ClientConnection) {
        connection.isGivenUp = true
        connection.drain(until: now.adding(nanoseconds: connection.requestTimeout + second))
    }

    /// Takes urgent requests off a silent connection.
    ///
    /// Where nothing waits that would show whether another connection serves, one that is not urgent is sent to see.
    private func rescue(_ connection: ClientConnection) {
        let since = connection.health.silentSince
        var needsScout = waiting == 0 && connection.scoutedSince != since
        for exchange in connection.exchanges where mayMove(exchange) {
            guard exchange.isUrgent || needsScout else { continue }
            needsScout = false
            connection.scoutedSince = since
            let isAmbiguous = exchange.isWritten
            exchange.isSettled = true
            connection.cancel(exchange)
            let why = "no answer in time, on a connection that answered nothing"
            move(exchange, off: connection, leaving: isAmbiguous ? .unknown(why) : exchange.past?.outcome)
        }
    }

    private func mayMove(_ exchange: Exchange) -> Bool {
        exchange.request.mayRepeat && !exchange.isSettled && (exchange.past?.moves ?? 0) < Self.moves
            && exchange.sentAt.adding(nanoseconds: patience.limit / 2) <= now
    }

    // MARK: Moving

    /// Sends an urgent request once more, over another connection, where its own answered with an error of the far
    /// end; `false` where it may not, where there is no other, or where the far end asked to be left alone.
    func retryElsewhere(_ exchange: Exchange, after response: HTTP2Response, on connection: ClientConnection) -> Bool {
        guard !ConnectionHealth.isGood(response.status), exchange.isUrgent, exchange.request.mayRepeat,
            exchange.past == nil, closesAt == nil, response.header("retry-after") == nil
        else { return false }
        guard canReplace || connections.contains(where: { $0 !== connection && isHopeful($0) }) else { return false }
        exchange.isSettled = true
        move(exchange, off: connection, leaving: .response(response))
        return true
    }

    private func move(_ exchange: Exchange, off connection: ClientConnection, leaving outcome: HTTP2Outcome?) {
        let past = Exchange.Past(
            connection: connection.number,
            moves: (exchange.past?.moves ?? 0) + 1,
            outcome: outcome,
            patience: now.adding(nanoseconds: Self.detour)
        )
        let again = Exchange(exchange.request, past: past)
        let place = again.isUrgent ? moved.firstIndex { !$0.isUrgent } : nil
        moved.insert(again, at: place ?? moved.endIndex)
        nextSweep = min(nextSweep, again.deadline)
        isDirty = true
    }

    /// Whether some that were taken off a connection find no other to wait for.
    var needsAnother: Bool {
        moved.contains { exchange in
            !connections.contains { isHopeful($0) && !exchange.avoids($0, at: now) }
        }
    }

    /// Places what was taken off connections; what finds no other in time takes what there is.
    func placeMoved() {
        guard !moved.isEmpty else { return }
        let all = moved
        moved = []
        var placed = 0
        for exchange in all {
            if let connection = bestConnection(for: exchange) {
                if connection.start(exchange, now: now) { placed += 1 }
                nextSweep = min(nextSweep, exchange.deadline)
            } else if let past = exchange.past, past.patience <= now {
                if case .response(let error)? = past.outcome {
                    settle(exchange, .response(error))
                } else {
                    putBack(exchange, now: now)
                }
            } else {
                moved.append(exchange)
            }
        }
        plan.shared.requests.add(placed, ordering: .relaxed)
    }

    /// Takes out those whose deadline has passed, and notes the earliest of the others.
    func removeLateMoved(at horizon: MonotonicTime, earliest: inout MonotonicTime) -> [Exchange] {
        let late = moved.filter { $0.deadline <= horizon }
        moved.removeAll { $0.deadline <= horizon }
        for exchange in moved { earliest = min(earliest, exchange.deadline) }
        return late
    }

    // MARK: Time

    /// When something is to be done about doubts.
    var nextDoubt: MonotonicTime {
        var next = MonotonicTime.distantFuture
        let glance = now.adding(nanoseconds: patience.limit / 4)
        for connection in connections {
            if connection.isOpening, waiting > 0 {
                let slow = connection.startedAt.adding(nanoseconds: patience.limit)
                if slow > now { next = min(next, slow) }
            }
            guard connection.phase == .open, let since = connection.health.silentSince else { continue }
            let doubt = since.adding(nanoseconds: limit(connection))
            let end = since.adding(nanoseconds: configuration.giveUpAfter)
            if end > now { next = min(next, end) }
            if doubt > now {
                next = min(next, doubt)
            } else if !connection.exchanges.isEmpty {
                next = min(next, glance)
            }
        }
        if !moved.isEmpty { next = min(next, glance) }
        if waiting > 0 || hasDoubts, replacement.notBefore > now { next = min(next, replacement.notBefore) }
        return next
    }
}
