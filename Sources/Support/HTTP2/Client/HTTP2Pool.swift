// SPDX-License-Identifier: Apache-2.0

internal import Bus
internal import Synchronization
internal import Threads

/// Connections to one provider under one identity (one team and key, or one certificate): they are never shared.
///
/// Every submitted request gets exactly one result, also when the pool or the loop is stopped.
public final class HTTP2Pool: Sendable {
    private let loop: HTTP2Loop
    private let identifier: Int
    private let plan: PoolPlan

    /// What a pool is doing; cheap to read, each number for itself.
    public struct Counters: Sendable, Equatable {
        /// Connections that carry requests.
        public var openConnections = 0
        /// Requests on the wire.
        public var inFlight = 0
        /// Requests not yet answered, whether waiting or on the wire.
        public var admitted = 0
        /// Requests put on the wire since the start, repeats included.
        public var requests = 0
        /// Connections opened since the start, after the first.
        public var reconnects = 0
    }

    /// Makes a pool; it connects when the first request comes.
    ///
    /// - Parameters:
    ///   - loop: the thread that drives the pool.
    ///   - configuration: what to connect to, and the bounds to keep.
    ///   - results: called on the loop's thread, once a turn, with what has become of requests; must not block.
    ///     After the loop has stopped it is called on the submitting thread.
    /// - Throws: ``HTTP2Failure`` of kind `tls` where certificates or keys cannot be used.
    public init(
        on loop: HTTP2Loop,
        _ configuration: HTTP2PoolConfiguration,
        results: @escaping @Sendable ([HTTP2Result]) -> Void
    ) throws(HTTP2Failure) {
        var context: TLSContext?
        if let tls = configuration.tls { context = try TLSContext(client: tls) }
        self.loop = loop
        plan = PoolPlan(configuration: configuration.sane, context: context, shared: PoolShared(), deliver: results)
        identifier = loop.nextPool()
        _ = loop.inbox.post(.open(identifier, plan))
    }

    deinit { _ = loop.inbox.post(.forget(identifier)) }

    /// Hands requests over; never waits.
    ///
    /// Those beyond the queue's bound come back as `unsent(overloaded)`.
    public func submit(_ requests: [HTTP2Request]) {
        guard !requests.isEmpty else { return }
        let room = plan.shared.admit(requests.count, bound: plan.configuration.queueBound)
        let admitted = room == requests.count ? requests : Array(requests.prefix(room))
        if !admitted.isEmpty, !loop.inbox.post(.submit(identifier, admitted)) { answerClosed(admitted) }
        let refused = requests.dropFirst(room)
        guard !refused.isEmpty else { return }
        if !loop.inbox.post(.refuse(identifier, refused.map(\.tag))) { answerClosed(refused) }
    }

    private func answerClosed(_ requests: some Collection<HTTP2Request>) {
        let failure = HTTP2Failure(.closed, "the pool is closed")
        plan.deliver(requests.map { HTTP2Result(tag: $0.tag, outcome: .unsent(failure)) })
    }

    /// Why there is no connection; `nil` while there is one, or none was wanted yet.
    public var lastFailure: HTTP2Failure? { plan.shared.failure.withLock { $0 } }

    /// What the pool is doing now.
    public var counters: Counters {
        let shared = plan.shared
        return Counters(
            openConnections: shared.openConnections.load(ordering: .relaxed),
            inFlight: shared.inFlight.load(ordering: .relaxed),
            admitted: shared.admitted.load(ordering: .relaxed),
            requests: shared.requests.load(ordering: .relaxed),
            reconnects: max(0, shared.connects.load(ordering: .relaxed) - 1)
        )
    }

    /// Opens a connection although nothing is to be sent, unless there is one that is not in doubt; says `nil` when it
    /// is open, or what is wrong.
    ///
    /// The answer comes on the loop's thread and must not block it.
    public func connect(_ answer: @escaping @Sendable (HTTP2Failure?) -> Void) {
        guard !loop.inbox.post(.connect(identifier, answer)) else { return }
        answer(HTTP2Failure(.closed, "the pool is closed"))
    }

    /// Replaces all connections; what is in flight may finish within `grace` nanoseconds, then its outcome is unknown.
    ///
    /// For a provider that keeps refusing on a connection once it refused (APNs after ExpiredProviderToken).
    public func reconnect(grace: UInt64 = 5_000_000_000) {
        _ = loop.inbox.post(.reconnect(identifier, until: MonotonicTime.now().adding(nanoseconds: grace)))
    }

    /// Takes no more requests; sends and awaits what it has for at most `limit` nanoseconds, then settles the rest.
    public func drain(within limit: UInt64) {
        _ = loop.inbox.post(.close(identifier, until: MonotonicTime.now().adding(nanoseconds: limit)))
    }

    /// Takes no more requests and gives back at once what waits, as `unsent(closed)`; what is in flight may be answered
    /// within `limit` nanoseconds.
    public func retire(within limit: UInt64) {
        _ = loop.inbox.post(.retire(identifier, until: MonotonicTime.now().adding(nanoseconds: limit)))
    }

    /// Settles everything now: what waits is unsent, what is in flight unknown.
    public func stop() { drain(within: 0) }
}
