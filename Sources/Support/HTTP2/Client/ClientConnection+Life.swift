// SPDX-License-Identifier: Apache-2.0

internal import Bus
internal import CLinux
internal import CNGHTTP2

/// Opening, reading, keeping alive and ending a connection.
extension ClientConnection {
    /// Tries the next address; `false` where there is none left.
    func connectNext(now: MonotonicTime) -> HTTP2Failure? {
        detach()
        var failure = HTTP2Failure(.connect, "the name has no address")
        while let address = addresses.popFirst() {
            let descriptor = busd_connect_start(address, UInt32(address.count))
            guard descriptor >= 0 else {
                failure = HTTP2Failure(.connect, Wire.text(-descriptor))
                continue
            }
            self.address = address
            guard let wire = makeWire(descriptor) else { return HTTP2Failure(.tls, "TLS cannot be set up") }
            self.wire = wire
            phase = .connecting
            phaseDeadline = now.adding(nanoseconds: pool.configuration.connectTimeout)
            token = pool.poller.add(self, descriptor, EPOLLOUT.rawValue)
            return nil
        }
        return failure
    }

    private func makeWire(_ descriptor: Int32) -> Wire? {
        guard let context = pool.context else { return Wire(takingOver: descriptor) }
        return Wire(takingOver: descriptor, context: context, host: pool.configuration.host)
    }

    func ready(_ events: UInt32) {
        pool.isDirty = true
        switch phase {
        case .connecting: finishConnect()
        case .shakingHands: shakeHands()
        case .settling, .open, .draining: receive()
        case .resolving, .closed: break
        }
    }

    private func finishConnect() {
        guard let wire else { return }
        let failure = busd_connect_result(wire.descriptor)
        guard failure == 0 else { return fail(HTTP2Failure(.connect, Wire.text(failure))) }
        phase = .shakingHands
        shakeHands()
    }

    private func shakeHands() {
        guard let wire else { return }
        switch wire.shakeHands() {
        case .wantsRead: pool.poller.change(token, wire.descriptor, EPOLLIN.rawValue)
        case .wantsWrite: pool.poller.change(token, wire.descriptor, EPOLLOUT.rawValue)
        case .failed(let failure): fail(failure)
        case .done: beginSession(wire)
        }
    }

    private func beginSession(_ wire: Wire) {
        guard let session = ClientSession.make(for: self) else {
            return fail(HTTP2Failure(.connect, "no memory for a session"))
        }
        link = Link(wire, takingOver: session, poller: pool.poller, token: token)
        lastReceived = pool.now
        phase = .settling
        receive()
    }

    private func receive() {
        guard let (hasRead, end) = link?.receive() else { return }
        if hasRead {
            lastReceived = pool.now
            pongDeadline = nil
        }
        if let end { ended(end) }
    }

    /// Writes what is due; called once a turn.
    func flush() {
        guard let link, let end = link.flush() else { return }
        // A peer that refuses our certificate says so and closes (RFC 8446, 4.4.2.4): the alert may wait to be read
        // although nothing can be written any more.
        ended(link.receive().end ?? end)
    }

    private func ended(_ why: String) {
        guard phase != .closed else { return }
        if phase == .settling {
            let kind: HTTP2Failure.Kind = why.hasPrefix("TLS") ? .tls : .connect
            return fail(HTTP2Failure(kind, why))
        }
        close("the connection was lost: \(why)")
    }

    /// An attempt to open failed: the next address, unless the failure would be the same there.
    private func fail(_ failure: HTTP2Failure) {
        if failure.kind == .connect, !addresses.isEmpty, connectNext(now: pool.now) == nil { return }
        detach()
        phase = .closed
        pool.attemptFailed(self, failure)
    }

    /// Ends the connection now and settles what is on it.
    func close(_ why: String) {
        guard phase != .closed else { return }
        phase = .closed
        let left = exchanges
        exchanges = []
        // The session goes first: it holds pointers into the exchanges.
        detach()
        for exchange in left where !exchange.isSettled {
            if let response = exchange.response {
                pool.settle(exchange, .response(response))
            } else if exchange.isWritten {
                pool.settle(exchange, .unknown(why))
            } else {
                pool.putBack(exchange, now: pool.now)
            }
        }
        pool.lost(self)
    }

    private func detach() {
        if let wire { pool.poller.remove(token, wire.descriptor) }
        link = nil
        wire = nil
    }

    /// Ends the connection politely: the peer need not guess.
    func retire(_ why: String = "the connection was closed") {
        if let link {
            nghttp2_session_terminate_session(link.session, NGHTTP2_NO_ERROR.rawValue)
            _ = link.flush()
        }
        close(why)
    }

    // MARK: Time

    func tick(_ now: MonotonicTime) {
        if phaseDeadline <= now { return outOfTime() }
        if phase == .draining, exchanges.isEmpty { return retire() }
        guard phase == .open || phase == .draining, let link else { return }
        if let pongDeadline {
            if pongDeadline <= now { close("the connection was lost: no answer to PING") }
        } else if nextPing <= now {
            nghttp2_submit_ping(link.session, 0, nil)
            let configuration = pool.configuration
            let limit = exchanges.isEmpty ? configuration.pingTimeout : configuration.waitingPingTimeout
            pongDeadline = now.adding(nanoseconds: limit)
        }
    }

    /// When the peer has to show that it is there: sooner where requests wait for it.
    ///
    /// A firewall that has forgotten a connection drops what comes without a word: only silence tells.
    private var nextPing: MonotonicTime {
        let idle = lastReceived.adding(nanoseconds: pool.configuration.pingInterval)
        guard let waiting = health.silentSince, !exchanges.isEmpty else { return idle }
        return min(idle, max(lastReceived, waiting).adding(nanoseconds: pool.configuration.waitingPingAfter))
    }

    private func outOfTime() {
        if isOpening { return fail(HTTP2Failure(.connect, "timed out")) }
        close("the connection was closed before an answer came")
    }

    /// When ``tick(_:)`` is next due.
    var nextTick: MonotonicTime {
        var next = phaseDeadline
        guard phase == .open || phase == .draining else { return next }
        if phase == .draining, exchanges.isEmpty { return pool.now }
        next = min(next, pongDeadline ?? nextPing)
        if phase == .open, pausedUntil > pool.now { next = min(next, pausedUntil) }
        return next
    }

    /// Whether the connection has nothing to do and had nothing for long.
    func isIdle(at now: MonotonicTime) -> Bool {
        phase == .open && exchanges.isEmpty && lastUsed.adding(nanoseconds: pool.configuration.idleTimeout) <= now
    }
}
