// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import Synchronization

/// What is done about answers.
extension Courier {
    /// In nanoseconds.
    private static var retirement: UInt64 { 5_000_000_000 }

    /// Takes what has become of requests; runs on the loop's thread.
    func settle(_ results: [HTTP2Result]) {
        let now = WallTime.now()
        var outcomes: [(batch: Batch, index: Int, outcome: Outcome)] = []
        outcomes.reserveCapacity(results.count)
        var again: [InFlightPush] = []
        var accepted = 0
        let (pushes, generation, isDraining) = state.withLock { state in
            (results.map { state.pushes.take($0.tag) }, state.generation, state.isDraining)
        }
        for (result, push) in zip(results, pushes) {
            guard var push else { continue }
            // What a pool that was replaced had not sent yet.
            if case .unsent(let failure) = result.outcome, failure.kind == .closed, !isDraining,
                push.generation < generation
            {
                again.append(push)
                continue
            }
            let judgement = provider.judge(result.outcome, at: now)
            if judgement.outcome == .accepted { accepted = max(accepted, push.version) }
            if remedy(judgement, push), !push.isRepeat, !isDraining {
                push.isRepeat = true
                again.append(push)
            } else {
                outcomes.append((push.batch, push.index, judgement.outcome))
            }
        }
        if accepted > 0 { provider.confirm(accepted) }
        if !again.isEmpty { submit(again) }
        Batch.report(outcomes)
        finish()
    }

    /// Does what an answer asks of the channel itself; returns whether the delivery is worth a repeat.
    private func remedy(_ judgement: PushJudgement, _ push: InFlightPush) -> Bool {
        switch judgement.remedy {
        case .none: return false
        case .hold:
            provider.hold()
            return false
        case .reconnect:
            replacePool(push.generation, judgement)
            return false
        case .reconnectAndRepeat:
            replacePool(push.generation, judgement)
            return true
        case .renew(let isReconnecting):
            let isWorthIt = provider.renew(after: push.version)
            if isReconnecting { replacePool(push.generation, judgement) }
            return isWorthIt
        }
    }

    /// Puts a new pool in the place of the one of `generation`, unless that is done already.
    ///
    /// A connection on which APNs once refused a token refuses everything that follows, and the requests that wait
    /// show the old token too: what the old pool has not sent comes back and goes to the new one.
    private func replacePool(_ generation: Int, _ judgement: PushJudgement) {
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
