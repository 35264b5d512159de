// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Engine

extension MemoryLedger {
    /// Reads what guards knew when they last wrote it, by channel.
    public func guards(of pipeline: PipelineNumber, completion: @escaping Completion<[String: KnownGuard]>) {
        read(completion) { $0.quarantine.guards(of: pipeline) }
    }

    /// Does with tokens of a channel what was decided; keeps what its guard knows now.
    public func apply(
        _ step: InvalidTokenStep,
        of channel: String,
        in pipeline: PipelineNumber,
        _ record: InvalidTokenRecord,
        completion: @escaping Completion<InvalidTokenResult>
    ) {
        write(completion) { $0.apply(step, of: channel, in: pipeline, record) }
    }

    /// Forgets verdicts on subscriptions that a provider took something for.
    public func clearVerdicts(_ subscriptions: [Int64], completion: @escaping Completion<Void>) {
        write(completion) { $0.tables.quarantine.clear(subscriptions) }
    }

    /// Reads what is quarantined in a pipeline, by channel and reason.
    public func quarantined(_ pipeline: PipelineNumber, completion: @escaping Completion<[QuarantineSummary]>) {
        read(completion) { $0.quarantined(pipeline) }
    }

    /// Forgets for good at most `limit` subscriptions that were removed before a moment; returns how many.
    public func forgetRemoved(before: WallTime, limit: Int, completion: @escaping Completion<Int>) {
        write(completion) { $0.tables.subscriptions.forgetRemoved(before: before, limit: limit) }
    }
}
