// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Engine
import Threads

extension SQLiteLedger {
    // What a crash may have to look at again, and how often the place is written.
    private static let lag: Int64 = 60_000

    /// Reads open deliveries of a pipeline whose notification's timeout passed at or before `now`, oldest first.
    ///
    /// Each call goes on where the last one ended; after a page that is not full it begins again with those that are
    /// still open.
    public func expired(
        _ pipeline: PipelineNumber,
        now: WallTime,
        limit: Int,
        completion: @escaping Completion<[QueuedDelivery]>
    ) {
        read(for: .pages, delivering(pipeline, now, limit, completion)) { [sweeps, writes] statements in
            guard limit > 0, let start = sweeps.begin(pipeline) else { return nil }
            let sweep = try statements.queues.sweep(pipeline, from: start, now: now, limit: limit)
            let closedUntil = sweeps.finish(
                pipeline,
                at: sweep.reached,
                firstOpen: sweep.firstOpen,
                isRoundOver: sweep.isRoundOver
            )
            if let closedUntil,
                sweeps.shouldStore(pipeline, closedUntil.adding(milliseconds: -Self.lag), step: Self.lag)
            {
                writes.postAlways(.remembering(pipeline, sweptUntil: closedUntil.adding(milliseconds: -Self.lag)))
            }
            return sweep
        }
    }

    // A look that ended early and found nothing says nothing: there may be open deliveries further on.
    private func delivering(
        _ pipeline: PipelineNumber,
        _ now: WallTime,
        _ limit: Int,
        _ completion: @escaping Completion<[QueuedDelivery]>
    ) -> Completion<QueueReads.Sweep?> {
        { [weak self] result in
            switch result {
            case .success(let sweep?) where sweep.deliveries.isEmpty && !sweep.isRoundOver:
                guard let self else { return completion(.failure(.closed)) }
                self.expired(pipeline, now: now, limit: limit, completion: completion)
            case .success(let sweep): completion(.success(sweep?.deliveries ?? []))
            case .failure(let error): completion(.failure(error))
            }
        }
    }
}
