// SPDX-License-Identifier: Apache-2.0

public import Bus
public import HTTP2
import Synchronization

/// Sends the requests of one provider, and sees to what happens to them until each has its outcome.
///
/// It keeps what the wire asks for, the same for all providers: a pool of connections that is replaced when the
/// provider turns against it, one repeat after a remedy, a line for what waits for a credential, an end in order.
public final class Courier<Provider: PushProvider>: Sendable {
    struct State {
        var pushes = InFlightPushes()
        var line = CredentialLine()
        /// Counts the pools.
        var generation = 0
        var pool: HTTP2Pool?
        /// The pool before, which still waits for answers: letting go of a pool ends it.
        var retired: HTTP2Pool?
        var isDraining = false
        /// Resumed when all is done after draining.
        var waiters: [CheckedContinuation<Void, Never>] = []

        var isIdle: Bool { pushes.isEmpty && line.isEmpty }
    }

    /// In nanoseconds.
    private static var drainLimit: UInt64 { 25_000_000_000 }
    let state = Mutex(State())
    let provider: Provider
    let log: Log
    private let loop: HTTP2Loop
    private let configuration: HTTP2PoolConfiguration
    private let writer: Mutex<Provider.Writer>

    /// Makes a courier that connects when there is something to send.
    ///
    /// - Throws: where TLS cannot be set up.
    public init(
        for provider: Provider,
        on loop: HTTP2Loop,
        _ configuration: HTTP2PoolConfiguration,
        writer: Provider.Writer,
        log: Log
    ) throws(HTTP2Failure) {
        self.provider = provider
        self.loop = loop
        self.configuration = configuration
        self.writer = Mutex(writer)
        self.log = log
        let pool = try makePool()
        state.withLock { $0.pool = pool }
    }

    func makePool() throws(HTTP2Failure) -> HTTP2Pool {
        try HTTP2Pool(on: loop, configuration) { [weak self] in self?.settle($0) }
    }

    // MARK: Sending

    /// Starts to send; returns at once.
    public func send(_ deliveries: [Delivery], to sink: any DeliverySink) {
        guard !deliveries.isEmpty else { return }
        let batch = Batch(deliveries, sink: sink)
        submit(deliveries.indices.map { InFlightPush(batch: batch, index: $0) })
    }

    /// Sends deliveries, for the first time or again; where there is no credential they wait for it.
    func submit(_ pushes: [InFlightPush]) {
        switch provider.credential() {
        case .ready(let credential): dispatch(pushes, showing: credential)
        case .awaited: wait(pushes)
        case .failed(let reason): report(pushes, .unavailable(reason: reason))
        }
    }

    func dispatch(_ pushes: [InFlightPush], showing credential: PushCredential) {
        let (pool, tags) = state.withLock { state in
            let generation = state.generation
            let tags = pushes.map { push in
                var push = push
                push.version = credential.version
                push.generation = generation
                return state.pushes.add(push)
            }
            return (state.pool, tags)
        }
        let now = WallTime.now()
        var requests: [HTTP2Request] = []
        requests.reserveCapacity(pushes.count)
        var refused: [(tag: UInt64, reason: String)] = []
        writer.withLock { writer in
            for (push, tag) in zip(pushes, tags) {
                switch writer.request(push.delivery, tag: tag, showing: credential, at: now) {
                case .success(let request): requests.append(request)
                case .failure(let refusal): refused.append((tag, refusal.reason))
                }
            }
        }
        pool?.submit(requests)
        if !refused.isEmpty { refuse(refused) }
    }

    private func refuse(_ refused: [(tag: UInt64, reason: String)]) {
        let pushes = state.withLock { state in refused.map { state.pushes.take($0.tag) } }
        Batch.report(
            zip(pushes, refused).compactMap { push, refusal in
                push.map { ($0.batch, $0.index, .rejected(reason: refusal.reason)) }
            }
        )
        finish()
    }

    func report(_ pushes: [InFlightPush], _ outcome: Outcome) {
        Batch.report(pushes.map { ($0.batch, $0.index, outcome) })
        finish()
    }

    // MARK: Life

    /// Gets a credential, and connects without a request; returns what is wrong, in words for operators.
    public func probe() async -> String? {
        let standing = await withCheckedContinuation { found in provider.whenSettled { found.resume(returning: $0) } }
        if case .failed(let reason) = standing { return reason }
        guard let pool = state.withLock({ $0.pool }) else { return nil }
        return await withCheckedContinuation { done in
            pool.connect { failure in done.resume(returning: failure?.description) }
        }
    }

    /// Sends nothing new; what is on its way is still waited for.
    public func drain() {
        let pools = state.withLock { state in
            state.isDraining = true
            return [state.pool, state.retired]
        }
        for pool in pools { pool?.drain(within: Self.drainLimit) }
        finish()
    }

    /// Waits until it is drained; cancelling it cuts the connections.
    public func run() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                state.withLock { $0.waiters.append(waiter) }
                finish()
            }
        } onCancel: {
            stop()
        }
    }

    private func stop() {
        drain()
        let pools = state.withLock { [$0.pool, $0.retired] }
        for pool in pools { pool?.stop() }
        report(takeLine(), .retry(after: nil, scope: .delivery, reason: "the channel was stopped"))
    }

    /// Lets go of the last message where nothing is on its way, and of those who wait for the end.
    func finish() {
        let (isIdle, waiters) = state.withLock { state in
            guard state.isIdle else { return (false, [CheckedContinuation<Void, Never>]()) }
            guard state.isDraining else { return (true, []) }
            defer { state.waiters = [] }
            return (true, state.waiters)
        }
        if isIdle { writer.withLock { $0.forget() } }
        for waiter in waiters { waiter.resume() }
    }
}
