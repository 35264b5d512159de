// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

extension Transaction {
    /// Notes a sign of a subscription, unless one of the kind was lately.
    mutating func noteSign(
        of subscription: Int64,
        at moment: WallTime,
        _ kind: WritableKeyPath<SubscriptionRow, WallTime?>
    ) {
        guard let row = tables.subscriptions[subscription] else { return }
        let interval = tables.pipelines.lastSeenInterval(of: row.pipeline)
        guard SubscriptionRule.isWorthNoting(at: moment, after: row[keyPath: kind], every: interval) else { return }
        tables.subscriptions.update(subscription) { $0[keyPath: kind] = moment }
    }

    /// Ends all of a user; returns how many there were.
    mutating func endAll(of user: RecipientID, in pipeline: PipelineNumber) -> Int {
        tables.subscriptions.forgetRemoved(in: pipeline) { $0.user == user }
        return tables.subscriptions.end(in: pipeline) { $0.subscription.user == user }
    }

    /// Ends those that were silent longest; returns how many.
    mutating func endSilent(_ pipeline: PipelineNumber, before: WallTime, limit: Int) -> Int {
        let silent = tables.subscriptions.rows.values.filter { $0.pipeline == pipeline && $0.lastSeen < before }
            .sorted { ($0.lastSeen, $0.sequence) < ($1.lastSeen, $1.sequence) }
        let ended = Set(silent.prefix(limit).map(\.sequence))
        return tables.subscriptions.end(in: pipeline) { ended.contains($0.sequence) }
    }

    /// Keeps that an app told an event.
    mutating func note(_ event: NewAppEvent) {
        tables.subscriptions.update(event.subscription) { row in
            row.events[event.name] = event.at
            for name in RetentionRule.forgottenEvents(row.events) { row.events[name] = nil }
        }
    }
}
