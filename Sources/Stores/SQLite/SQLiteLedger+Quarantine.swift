// SPDX-License-Identifier: Apache-2.0

public import Engine
import SQLite

extension SQLiteLedger {
    /// Keeps verdicts of a channel; a newer one takes the place of an older one of the same subscription.
    public func quarantine(
        _ verdicts: [DeadAddress],
        by channel: String,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<Void>
    ) {
        write(isUrgent: false, weight: verdicts.count, completion) { statements throws(SQLiteError) in
            try statements.quarantine.keep(verdicts, by: channel, in: pipeline)
        }
    }

    /// Reads what waits in a pipeline, by channel and reason.
    public func quarantined(
        _ pipeline: PipelineNumber,
        completion: @escaping Completion<[QuarantineSummary]>
    ) {
        read(for: .pages, completion) { try $0.quarantine.summaries(pipeline) }
    }

    /// Forgets a channel's verdicts; returns how many subscriptions that concerns.
    public func releaseQuarantine(
        of channel: String,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<Int>
    ) {
        empty(channel, pipeline, ends: false, before: 0, completion)
    }

    /// Ends the subscriptions that a channel's verdicts are about; returns how many ended.
    public func confirmQuarantine(
        of channel: String,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<Int>
    ) {
        empty(channel, pipeline, ends: true, before: 0, completion)
    }

    // A piece a transaction: there may be as many as there are subscriptions.
    private func empty(
        _ channel: String,
        _ pipeline: PipelineNumber,
        ends: Bool,
        before: Int,
        _ completion: @escaping Completion<Int>
    ) {
        let next: Completion<QuarantineWrites.Piece> = { [weak self] result in
            switch result {
            case .success(let piece) where piece.hasMore:
                guard let self else { return completion(.failure(.closed)) }
                empty(channel, pipeline, ends: ends, before: before + piece.stood, completion)
            case .success(let piece): completion(.success(before + piece.stood))
            case .failure(let error): completion(.failure(error))
            }
        }
        write(isUrgent: false, next) { statements throws(SQLiteError) in
            try statements.quarantine.take(of: channel, in: pipeline, ends: ends)
        }
    }
}
