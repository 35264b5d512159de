// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import PushService
import Synchronization

/// What is done about answers.
extension Courier {
    /// Takes what has become of requests; runs on the loop's thread.
    func settle(_ results: [HTTP2Result]) {
        let now = WallTime.now()
        var outcomes: [(batch: Batch, index: Int, outcome: Outcome)] = []
        outcomes.reserveCapacity(results.count)
        var again: [Flight] = []
        var accepted = 0
        let (flights, isDraining) = state.withLock { state in
            (results.map { state.flights.take($0.tag) }, state.isDraining)
        }
        for (result, flight) in zip(results, flights) {
            guard var flight else { continue }
            let judgement = Judgement(result.outcome, now: now)
            if judgement.outcome == .accepted { accepted = max(accepted, flight.version) }
            if judgement.refusesToken, token.refuse(flight.version), !flight.isRepeat, !isDraining {
                flight.isRepeat = true
                again.append(flight)
            } else {
                outcomes.append((flight.batch, flight.index, judgement.outcome))
            }
        }
        if accepted > 0 { token.confirm(accepted) }
        if !again.isEmpty { submit(again) }
        Batch.report(outcomes)
        finish()
    }
}
