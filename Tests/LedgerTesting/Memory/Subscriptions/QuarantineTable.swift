// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

/// A verdict that waits.
struct VerdictRow: Sendable {
    let pipeline: PipelineNumber
    let channel: String
    let token: InvalidToken
    /// Whether it waits to be judged; otherwise for an operator.
    var waits: Bool
}

/// Verdicts, by subscription, and what guards know.
struct QuarantineTable: Sendable {
    private struct Key: Hashable {
        let pipeline: PipelineNumber
        let channel: String
    }

    private(set) var verdicts: [Int64: VerdictRow] = [:]
    private var records: [Key: InvalidTokenRecord] = [:]

    /// Keeps a verdict; a newer one takes the place of an older one of the same subscription.
    mutating func keep(_ verdict: VerdictRow) { verdicts[verdict.token.end.subscription] = verdict }

    mutating func keep(_ record: InvalidTokenRecord, of channel: String, in pipeline: PipelineNumber) {
        records[Key(pipeline: pipeline, channel: channel)] = record
    }

    mutating func clear(_ subscriptions: [Int64]) { for number in subscriptions { verdicts[number] = nil } }

    func verdicts(of channel: String, in pipeline: PipelineNumber) -> [VerdictRow] {
        verdicts.values.filter { $0.pipeline == pipeline && $0.channel == channel }
            .sorted { $0.token.end.subscription < $1.token.end.subscription }
    }

    mutating func stopWaiting(of channel: String, in pipeline: PipelineNumber) {
        for verdict in verdicts(of: channel, in: pipeline) {
            verdicts[verdict.token.end.subscription]?.waits = false
        }
    }

    func guards(of pipeline: PipelineNumber) -> [String: KnownGuard] {
        var guards: [String: KnownGuard] = [:]
        for (key, record) in records where key.pipeline == pipeline {
            let suspects = verdicts(of: key.channel, in: pipeline).map(\.token.end.subscription)
            guards[key.channel] = KnownGuard(
                record: record,
                suspects: Array(suspects.prefix(KnownGuard.mostSuspects + 1))
            )
        }
        return guards
    }
}

extension Tables {
    func stands(_ token: InvalidToken) -> Bool {
        guard let row = subscriptions[token.end.subscription] else { return false }
        return SubscriptionRule.stands(
            token,
            token: row.subscription.token,
            tokenAt: row.subscription.tokenAt,
            lastSuccess: row.lastSuccess
        )
    }

    /// What waits for an operator, by channel and reason.
    func quarantined(_ pipeline: PipelineNumber) -> [QuarantineSummary] {
        let waiting = quarantine.verdicts.values.filter { $0.pipeline == pipeline && !$0.waits && stands($0.token) }
        let groups = Dictionary(grouping: waiting) { [$0.channel, $0.token.reason] }
        return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .compactMap { key, verdicts in
                let times = verdicts.map(\.token.at).sorted()
                guard let first = times.first, let last = times.last else { return nil }
                return QuarantineSummary(
                    channel: key[0],
                    reason: key[1],
                    count: times.count,
                    first: first,
                    last: last
                )
            }
    }
}
