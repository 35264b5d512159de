// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import PushService
import Synchronization

/// Sends requests, and sees to what happens to them until each has its outcome.
final class Courier: Sendable {
    struct State {
        var pool: HTTP2Pool?
        var flights = Flights<Flight>()
        /// What waits for an access token: at most what the bus has under way, for ten seconds at most.
        var line: [Flight] = []
        /// Whether somebody will call back about it.
        var isAwaitingToken = false
        var isDraining = false
        /// Resumed when all is done after draining.
        var waiters: [CheckedContinuation<Void, Never>] = []

        var isIdle: Bool { flights.isEmpty && line.isEmpty }
    }

    /// In nanoseconds.
    private static let drainLimit: UInt64 = 25_000_000_000
    let state = Mutex(State())
    let token: AccessToken
    private let writer: Mutex<RequestWriter>

    init(
        on loop: HTTP2Loop,
        _ configuration: HTTP2PoolConfiguration,
        token: AccessToken,
        writer: RequestWriter
    ) throws(HTTP2Failure) {
        self.token = token
        self.writer = Mutex(writer)
        let pool = try HTTP2Pool(on: loop, configuration) { [weak self] in self?.settle($0) }
        state.withLock { $0.pool = pool }
    }

    // MARK: Sending

    func send(_ deliveries: [Delivery], to sink: any DeliverySink) {
        guard !deliveries.isEmpty else { return }
        let batch = Batch(deliveries, sink: sink)
        submit(deliveries.indices.map { Flight(batch: batch, index: $0) })
    }

    /// Sends deliveries, for the first time or again; where there is no access token they wait for it.
    func submit(_ flights: [Flight]) {
        switch token.current() {
        case .ready(let issued): dispatch(flights, issued)
        case .awaited: wait(flights)
        case .failed(let reason): report(flights, .unavailable(reason: reason))
        }
    }

    func dispatch(_ flights: [Flight], _ issued: TokenCycle.Issued) {
        let (pool, tags) = state.withLock { state in
            let tags = flights.map { flight in
                var flight = flight
                flight.version = issued.version
                return state.flights.add(flight)
            }
            return (state.pool, tags)
        }
        let now = WallTime.now()
        var requests: [HTTP2Request] = []
        requests.reserveCapacity(flights.count)
        var refused: [(tag: UInt64, reason: String)] = []
        writer.withLock { writer in
            for (flight, tag) in zip(flights, tags) {
                switch writer.request(flight.delivery, tag: tag, token: issued, now: now) {
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

    func report(_ flights: [Flight], _ outcome: Outcome) {
        Batch.report(flights.map { ($0.batch, $0.index, outcome) })
        finish()
    }

    // MARK: Life

    func probe() async -> String? {
        if case .failed(let reason) = await token.settled() { return reason }
        guard let pool = state.withLock({ $0.pool }) else { return nil }
        return await withCheckedContinuation { done in
            pool.connect { failure in done.resume(returning: failure?.description) }
        }
    }

    func drain() {
        let pool = state.withLock { state in
            state.isDraining = true
            return state.pool
        }
        pool?.drain(within: Self.drainLimit)
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
        state.withLock { $0.pool }?.stop()
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
