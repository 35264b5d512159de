// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

extension Transaction {
    /// Does with tokens of a channel what was decided.
    mutating func apply(
        _ step: InvalidTokenStep,
        of channel: String,
        in pipeline: PipelineNumber,
        _ record: InvalidTokenRecord
    ) -> InvalidTokenResult {
        let course = InvalidTokenRule.course(of: step)
        tables.quarantine.keep(record, of: channel, in: pipeline)
        var result = InvalidTokenResult(decided: course.removed.count)
        result.ended = course.removed.compactMap { remove($0, by: channel) }
        for token in course.kept {
            tables.quarantine.keep(
                VerdictRow(pipeline: pipeline, channel: channel, token: token, waits: course.keptWait)
            )
        }
        if course.stopsWaiting { tables.quarantine.stopWaiting(of: channel, in: pipeline) }
        if let end = course.taken {
            take(of: channel, in: pipeline, onlyWaiting: course.onlyWaiting, end, &result)
        }
        if course.restores {
            result.restored = restore(of: channel, in: pipeline, inDoubt: course.doubtsRestored)
        }
        if step.isOperators { tell(.judged(channel: channel), in: pipeline) }
        return result
    }

    /// Ends a subscription while it is as the verdict says; without a channel it never comes back.
    private mutating func remove(_ token: InvalidToken, by channel: String?) -> EndedSubscription? {
        guard let row = tables.subscriptions.end(token.end) else { return nil }
        tables.subscriptions.setAside(row, token, by: channel)
        return EndedSubscription(subscription: row.sequence, app: row.subscription.app, reason: token.reason)
    }

    private mutating func take(
        of channel: String,
        in pipeline: PipelineNumber,
        onlyWaiting: Bool,
        _ end: InvalidTokenRule.End,
        _ result: inout InvalidTokenResult
    ) {
        for verdict in tables.quarantine.verdicts(of: channel, in: pipeline) where verdict.waits || !onlyWaiting {
            if tables.stands(verdict.token) {
                result.decided += 1
                let ended: EndedSubscription? =
                    switch end {
                    case .forget: nil
                    case .setAside: remove(verdict.token, by: channel)
                    case .remove: remove(verdict.token, by: nil)
                    }
                if let ended { result.ended.append(ended) }
            }
            tables.quarantine.clear([verdict.token.end.subscription])
        }
    }

    /// Brings back what a channel's verdicts removed lately; returns how many came.
    private mutating func restore(of channel: String, in pipeline: PipelineNumber, inDoubt: Bool) -> Int {
        let aside = tables.subscriptions.removed.values.filter {
            $0.row.pipeline == pipeline && $0.channel == channel
                && InvalidTokenRule.isRestorable(removed: $0.at, now: now.wall)
        }
        var count = 0
        for removed in aside.sorted(by: { $0.row.sequence < $1.row.sequence })
        where tables.subscriptions.restore(removed) {
            count += 1
            guard inDoubt else { continue }
            let end = SubscriptionEnd(
                subscription: removed.row.sequence,
                onlyToken: removed.row.subscription.token,
                registeredUntil: removed.row.subscription.tokenAt
            )
            let token = InvalidToken(end: end, reason: removed.reason, at: removed.at)
            tables.quarantine.keep(VerdictRow(pipeline: pipeline, channel: channel, token: token, waits: false))
        }
        return count
    }
}
