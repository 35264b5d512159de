// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Engine
import SQLite

extension SQLiteLedger {
    /// Reads what guards knew when they last wrote it, by channel.
    public func guards(of pipeline: PipelineNumber, completion: @escaping Completion<[String: KnownGuard]>) {
        read(for: .pages, completion) { try $0.quarantine.guards(pipeline) }
    }

    /// Reads what is quarantined in a pipeline, by channel and reason.
    public func quarantined(
        _ pipeline: PipelineNumber,
        completion: @escaping Completion<[QuarantineSummary]>
    ) {
        read(for: .pages, completion) { try $0.quarantine.summaries(pipeline) }
    }

    /// Forgets verdicts on subscriptions that a provider took something for.
    public func clearVerdicts(_ subscriptions: [Int64], completion: @escaping Completion<Void>) {
        write(isUrgent: false, weight: subscriptions.count, completion) { statements throws(SQLiteError) in
            try statements.quarantine.clear(subscriptions)
        }
    }

    /// Forgets for good subscriptions that were removed before a moment.
    public func forgetRemoved(before: WallTime, limit: Int, completion: @escaping Completion<Int>) {
        write(isUrgent: false, completion) { statements throws(SQLiteError) in
            try statements.removed.forget(before: before, limit: limit)
        }
    }

    /// Does with tokens of a channel what was decided, a piece a transaction.
    public func apply(
        _ step: InvalidTokenStep,
        of channel: String,
        in pipeline: PipelineNumber,
        _ record: InvalidTokenRecord,
        completion: @escaping Completion<InvalidTokenResult>
    ) {
        let course = InvalidTokenCourse(step: step, channel: channel, pipeline: pipeline, record: record)
        follow(course, after: InvalidTokenResult(), completion)
    }

    // There may be as many as there are subscriptions: other writes go between the pieces.
    private func follow(
        _ course: InvalidTokenCourse,
        after sum: InvalidTokenResult,
        _ completion: @escaping Completion<InvalidTokenResult>
    ) {
        let next: Completion<(piece: InvalidTokenResult, rest: InvalidTokenCourse?)> = { [weak self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let (piece, rest)):
                let sum = sum.adding(piece)
                guard let rest else { return completion(.success(sum)) }
                guard let self else { return completion(.failure(.closed)) }
                follow(rest, after: sum, completion)
            }
        }
        write(isUrgent: false, weight: course.weight, next) { statements throws(SQLiteError) in
            let now = statements.callbacks.schedule.read().wall
            let (piece, rest) = try course.go(statements.quarantine, statements.removed, now: now)
            if rest == nil, course.step.isOperators {
                statements.events.add(.judged(channel: course.channel), in: course.pipeline)
            }
            return (piece, rest)
        }
    }
}

extension InvalidTokenResult {
    fileprivate func adding(_ other: Self) -> Self {
        Self(
            decided: decided + other.decided,
            ended: ended + other.ended,
            restored: restored + other.restored
        )
    }
}
