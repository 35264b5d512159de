// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import HTTP2
import PushService
import Synchronization

/// Sends requests, and sees to what happens to them until each has its outcome.
final class Courier: Sendable {
    struct State {
        var flights = Flights<Flight>()
        /// Counts the pools.
        var generation = 0
        var pool: HTTP2Pool?
        /// The pool before, which still waits for answers: letting go of a pool ends it.
        var retired: HTTP2Pool?
        var isDraining = false
        /// Resumed when all is done after draining.
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// In nanoseconds.
    private static let drainLimit: UInt64 = 25_000_000_000
    let state = Mutex(State())
    let token: ProviderToken?
    let log: Log
    private let loop: HTTP2Loop
    private let configuration: HTTP2PoolConfiguration
    private let writer: Mutex<RequestWriter>

    init(
        on loop: HTTP2Loop,
        _ configuration: HTTP2PoolConfiguration,
        token: ProviderToken?,
        writer: RequestWriter,
        log: Log
    ) throws(HTTP2Failure) {
        self.loop = loop
        self.configuration = configuration
        self.token = token
        self.writer = Mutex(writer)
        self.log = log
        let pool = try makePool()
        state.withLock { $0.pool = pool }
    }

    func makePool() throws(HTTP2Failure) -> HTTP2Pool {
        try HTTP2Pool(on: loop, configuration) { [weak self] in self?.settle($0) }
    }

    // MARK: Sending

    func send(_ deliveries: [Delivery], to sink: any DeliverySink) {
        guard !deliveries.isEmpty else { return }
        let batch = Batch(deliveries, sink: sink)
        submit(deliveries.indices.map { (batch, $0) }, isRepeat: false)
    }

    /// Sends deliveries, for the first time or again.
    func submit(_ items: [(batch: Batch, index: Int)], isRepeat: Bool) {
        let shown: ProviderToken.Issued?
        do { shown = try token?.current() } catch {
            return Batch.report(items.map { ($0.batch, $0.index, .unavailable(reason: error.description)) })
        }
        let (pool, tags) = state.withLock { state in
            let tags = items.map { item in
                state.flights.add(
                    Flight(
                        batch: item.batch,
                        index: item.index,
                        generation: state.generation,
                        version: shown?.version ?? 0,
                        isRepeat: isRepeat
                    )
                )
            }
            return (state.pool, tags)
        }
        var requests: [HTTP2Request] = []
        requests.reserveCapacity(items.count)
        var refused: [(tag: UInt64, reason: String)] = []
        writer.withLock { writer in
            for (item, tag) in zip(items, tags) {
                switch writer.request(item.batch.deliveries[item.index], tag: tag, token: shown) {
                case .success(let request): requests.append(request)
                case .failure(let refusal): refused.append((tag, refusal.reason))
                }
            }
        }
        pool?.submit(requests)
        if !refused.isEmpty { refuse(refused) }
    }

    private func refuse(_ refused: [(tag: UInt64, reason: String)]) {
        let flights = state.withLock { state in refused.map { state.flights.take($0.tag) } }
        Batch.report(
            zip(flights, refused).compactMap { flight, refusal in
                flight.map { ($0.batch, $0.index, .rejected(reason: refusal.reason)) }
            }
        )
        finish()
    }

    // MARK: Life

    func probe() async -> String? {
        guard let pool = state.withLock({ $0.pool }) else { return nil }
        return await withCheckedContinuation { done in
            pool.connect { failure in done.resume(returning: failure?.description) }
        }
    }

    func drain() {
        let pools = state.withLock { state in
            state.isDraining = true
            return [state.pool, state.retired]
        }
        for pool in pools { pool?.drain(within: Self.drainLimit) }
        finish()
    }

    func run() async {
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
    }

    /// Lets go of the last message where nothing is on its way, and of those who wait for the end.
    func finish() {
        let (isIdle, waiters) = state.withLock { state in
            guard state.flights.isEmpty else { return (false, [CheckedContinuation<Void, Never>]()) }
            guard state.isDraining else { return (true, []) }
            defer { state.waiters = [] }
            return (true, state.waiters)
        }
        if isIdle { writer.withLock { $0.forget() } }
        for waiter in waiters { waiter.resume() }
    }
}
