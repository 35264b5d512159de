// SPDX-License-Identifier: Apache-2.0

internal import Bus
internal import CLinux
internal import CNGHTTP2

/// One connection of a pool, from the first connect to the last answer.
///
/// Confined to the loop's thread.
final class ClientConnection: PollTarget {
    enum Phase { case resolving, connecting, shakingHands, settling, open, draining, closed }

    /// Streams that bulk leaves free for urgent requests, where the peer allows enough of them.
    private static let largestReserve = 8
    /// More than this is not put on one connection whatever the peer allows.
    private static let streamCeiling = 1_000

    /// Tells the connections of a pool apart.
    let number: Int
    unowned let pool: PoolCore
    var phase = Phase.resolving
    var link: Link?
    var wire: Wire?
    var token: UInt64 = 0
    /// Addresses not yet tried.
    var addresses: ArraySlice<Address> = []
    /// The one it is at, or was.
    var address: Address?

    /// What is on this connection, in no order.
    var exchanges: [Exchange] = []
    /// Bytes of bodies that nghttp2 has yet to fetch.
    var unsentBody = 0
    var streamLimit = 0
    /// Whether a request has succeeded here (2xx), and whether any was answered.
    var isProven = false
    var hasAnswered = false
    /// Whether it can be relied on.
    var health = ConnectionHealth()
    /// The silence for which a request was sent to see whether another connection serves.
    var scoutedSince: MonotonicTime?
    /// Whether we left it, and not the peer.
    var isGivenUp = false
    var refusals = 0
    var hasCalm = false

    /// When the present phase has lasted too long: connecting, or draining.
    var phaseDeadline = MonotonicTime.distantFuture
    var pausedUntil = MonotonicTime.distantPast
    var lastReceived = MonotonicTime.distantPast
    var lastUsed = MonotonicTime.distantPast
    var pongDeadline: MonotonicTime?
    /// When it was begun.
    let startedAt: MonotonicTime

    private let startsCarefully: Bool
    let requestTimeout: UInt64

    init(_ pool: PoolCore, number: Int) {
        self.number = number
        self.pool = pool
        startsCarefully = pool.configuration.startsCarefully
        requestTimeout = pool.configuration.requestTimeout
        startedAt = pool.now
    }

    var isOpening: Bool {
        switch phase {
        case .resolving, .connecting, .shakingHands, .settling: true
        case .open, .draining, .closed: false
        }
    }

    // MARK: Room

    /// How many streams may be open here at once for requests of this urgency.
    private func allowance(urgent: Bool) -> Int {
        // While the pool doubts what it has, a connection that has shown nothing yet is no place for many either.
        if !isProven, startsCarefully || (pool.hasDoubts && !hasAnswered) { return min(1, streamLimit) }
        let limit = min(streamLimit, Self.streamCeiling)
        return urgent ? limit : limit - min(Self.largestReserve, limit / 8)
    }

    func hasRoom(for exchange: Exchange, now: MonotonicTime) -> Bool {
        guard phase == .open, pausedUntil <= now, let link, !link.isBlocked else { return false }
        let isUrgent = exchange.isUrgent
        guard exchanges.count < allowance(urgent: isUrgent) else { return false }
        return hasWindow(for: exchange.bodyCount, urgent: isUrgent, link.session)
    }

    /// A body is only begun where the connection's window takes it: else it would hold a stream, and whatever comes
    /// after it, for as long as the peer pleases.
    ///
    /// The last 16 KiB of the window are kept for urgent requests.
    private func hasWindow(for size: Int, urgent: Bool, _ session: OpaquePointer) -> Bool {
        let window = Int(nghttp2_session_get_remote_window_size(session)) - unsentBody
        // An idle connection keeps nothing back: some peers only enlarge a window that is used up.
        let kept = urgent || exchanges.isEmpty ? 0 : Self.record
        return window - kept >= min(size, Self.record)
    }

    private static let record = 16 * 1024

    // MARK: Sending

    /// Puts a request on the wire's queue; `false` where it cannot be expressed or no stream is left.
    func start(_ exchange: Exchange, now: MonotonicTime) -> Bool {
        guard let link else { return false }
        let stream = pool.submit(exchange, to: link.session)
        guard stream > 0 else { return refuse(exchange, code: stream, now: now) }
        exchange.stream = stream
        exchange.deadline = min(exchange.deadline, now.adding(nanoseconds: requestTimeout))
        exchange.sentAt = now
        exchange.slot = exchanges.count
        exchanges.append(exchange)
        unsentBody += exchange.bodyCount
        lastUsed = now
        health.sent(at: now)
        return true
    }

    private func refuse(_ exchange: Exchange, code: Int32, now: MonotonicTime) -> Bool {
        if code == NGHTTP2_ERR_STREAM_ID_NOT_AVAILABLE.rawValue {
            // 2^31-1 was reached: the connection is used up, not broken.
            drain(until: now.adding(nanoseconds: requestTimeout))
            pool.putBack(exchange, now: now)
        } else {
            pool.settle(exchange, .unsent(HTTP2Failure(.invalid, "the request's headers cannot be sent")))
        }
        return false
    }

    /// Takes no new requests; closes once those in flight are done, at `deadline` at the latest.
    func drain(until deadline: MonotonicTime) {
        guard phase == .open || phase == .draining else { return }
        phase = .draining
        phaseDeadline = min(phaseDeadline, deadline)
    }

    /// Gives up on an exchange that was sent: its stream is cancelled, its result is given now.
    func abandon(_ exchange: Exchange, _ outcome: HTTP2Outcome) {
        pool.settle(exchange, outcome)
        cancel(exchange)
    }

    /// Cancels the stream of an exchange whose result is given, or is somebody else's to give.
    func cancel(_ exchange: Exchange) {
        guard let link else { return }
        nghttp2_submit_rst_stream(link.session, 0, exchange.stream, NGHTTP2_CANCEL.rawValue)
    }

    // MARK: What nghttp2 tells

    func receive(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, for exchange: Exchange) {
        if name.first == 0x3A {
            exchange.status = value.reduce(0) { $0 &* 10 &+ Int($1) &- 48 }
        } else if exchange.headers.count < 16, let wanted = pool.wanted(name, status: exchange.status) {
            exchange.headers.append(HTTP2Header(wanted, String(decoding: value, as: UTF8.self)))
        }
    }

    func receive(_ bytes: UnsafeBufferPointer<UInt8>, for exchange: Exchange) {
        guard !exchange.isSettled, !exchange.receive(bytes), let response = exchange.response else { return }
        answered(exchange, response.status, isAwaiting: isAwaiting(besides: exchange))
        abandon(exchange, .response(response))
    }

    func receiveSettings() {
        guard let link else { return }
        let limit = nghttp2_session_get_remote_settings(link.session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
        streamLimit = Int(limit)
        if phase == .settling { pool.opened(self) }
    }

    func receiveGoAway(_ frame: nghttp2_goaway) {
        let now = pool.now
        if frame.error_code == NGHTTP2_ENHANCE_YOUR_CALM.rawValue { hasCalm = true }
        drain(until: now.adding(nanoseconds: requestTimeout + second))
    }

    func couldNotSend(stream: Int32) {
        guard let exchange = exchanges.first(where: { $0.stream == stream }) else { return }
        // Where the stream is already open, its closing must not find an exchange that is gone.
        if let link { nghttp2_session_set_stream_user_data(link.session, stream, nil) }
        release(exchange)
        if !exchange.isSettled { pool.putBack(exchange, now: pool.now) }
    }

    /// The stream is at its end, well or not.
    func closed(_ exchange: Exchange, code: UInt32) {
        release(exchange)
        guard !exchange.isSettled else { return }
        let now = pool.now
        if let response = exchange.response {
            answered(exchange, response.status, isAwaiting: isAwaiting(besides: exchange))
            if !pool.retryElsewhere(exchange, after: response, on: self) { pool.settle(exchange, .response(response)) }
        } else if code == NGHTTP2_REFUSED_STREAM.rawValue {
            if phase == .open { pause(now) }
            exchange.refusals += 1
            pool.putBack(exchange, now: now)
        } else {
            if code == NGHTTP2_ENHANCE_YOUR_CALM.rawValue { pausedUntil = now.adding(nanoseconds: second) }
            pool.settle(exchange, .unknown("the stream was reset: \(Link.errorName(code))"))
        }
    }

    private func isAwaiting(besides exchange: Exchange) -> Bool {
        exchanges.contains { $0 !== exchange && !$0.isSettled }
    }

    private func answered(_ exchange: Exchange, _ status: Int, isAwaiting: Bool) {
        hasAnswered = true
        refusals = 0
        if (200..<300).contains(status) { isProven = true }
        health.answered(status, isAwaiting: isAwaiting, at: pool.now)
        pool.answered(status, after: pool.now.nanoseconds(since: exchange.sentAt))
    }

    /// After a refusal the peer is given a moment, longer each time, or both would spin.
    private func pause(_ now: MonotonicTime) {
        pausedUntil = now.adding(nanoseconds: min(second, (5 * millisecond) << UInt64(min(refusals, 8))))
        refusals += 1
    }

    private func release(_ exchange: Exchange) {
        let slot = exchange.slot
        guard slot < exchanges.count, exchanges[slot] === exchange else { return }
        unsentBody -= exchange.bodyCount - exchange.bodySent
        pool.isDirty = true
        let last = exchanges.removeLast()
        if last !== exchange {
            exchanges[slot] = last
            last.slot = slot
        }
    }
}
