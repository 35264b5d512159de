// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import PushService
import Synchronization

/// What is done about answers.
extension Courier {
    /// In nanoseconds.
    private static let retirement: UInt64 = 5_000_000_000

    /// Takes what has become of requests; runs on the loop's thread.
    func settle(_ results: [HTTP2Result]) {
        let now = WallTime.now()
        var outcomes: [(batch: Batch, index: Int, outcome: Outcome)] = []
        outcomes.reserveCapacity(results.count)
        var again: [(batch: Batch, index: Int)] = []
        var moved: [(batch: Batch, index: Int)] = []
        var accepted = 0
        let (flights, generation, isDraining) = state.withLock { state in
            (results.map { state.flights.take($0.tag) }, state.generation, state.isDraining)
        }
        for (result, flight) in zip(results, flights) {
            guard let flight else { continue }
            if case .unsent(let failure) = result.outcome, failure.kind == .closed, !isDraining,
                flight.generation < generation
            {
                moved.append((flight.batch, flight.index))
                continue
            }
            let judgement = Judgement(result.outcome, now: now)
            if judgement.outcome == .accepted { accepted = max(accepted, flight.version) }
            if act(on: judgement, flight), !isDraining {
                again.append((flight.batch, flight.index))
            } else {
                outcomes.append((flight.batch, flight.index, judgement.outcome))
            }
        }
        if accepted > 0 { token?.confirm(accepted) }
        if !moved.isEmpty { submit(moved, isRepeat: false) }
        if !again.isEmpty { submit(again, isRepeat: true) }
        Batch.report(outcomes)
        finish()
    }

    /// Does what an answer asks of the channel itself; returns whether the delivery is to be sent again.
    private func act(on judgement: Judgement, _ flight: Flight) -> Bool {
        switch judgement.remedy {
        case .nothing: return false
        case .holdToken:
            token?.hold()
            return false
        case .reconnect:
            replacePool(flight.generation, judgement)
            return false
        case .reconnectAndRepeat:
            replacePool(flight.generation, judgement)
            return !flight.isRepeat
        case .renewTokenAndRepeat:
            token?.renew(after: flight.version)
            replacePool(flight.generation, judgement)
            return !flight.isRepeat
        }
    }

    /// Puts a new pool in the place of the one of `generation`, unless that is done already.
    ///
    /// A connection on which APNs once refused a token refuses everything that follows, and the requests that wait
    /// show the old token too: what the old pool has not sent comes back and goes to the new one.
    private func replacePool(_ generation: Int, _ judgement: Judgement) {
        let isCurrent = state.withLock { $0.generation == generation && !$0.isDraining }
        guard isCurrent, let pool = try? makePool() else { return }
        // What is let go of is let go of outside the lock.
        let older = state.withLock { state -> HTTP2Pool? in
            guard state.generation == generation, !state.isDraining else { return pool }
            let older = state.retired
            state.pool?.retire(within: Self.retirement)
            state.retired = state.pool
            state.pool = pool
            state.generation += 1
            return older
        }
        guard older !== pool else { return }
        log.warning("connections replaced", ["why": "\(judgement.outcome.reason)"])
    }
}

extension Outcome {
    /// What is said to operators; nothing for what is accepted.
    fileprivate var reason: String {
        switch self {
        case .accepted: ""
        case .retry(_, _, let reason), .rejected(let reason), .unavailable(let reason), .unknown(let reason): reason
        case .gone(let gone): gone.reason
        }
    }
}
