// SPDX-License-Identifier: Apache-2.0

import Engine

/// All that a store in memory holds: a value, so that a transaction works on a copy and is dropped as a whole.
struct Tables: Sendable {
    let identity: LedgerIdentity
    /// The latest reading of the schedule clock that was committed.
    var mark = DueTime.distantPast
    var nodes = NodeTable()
    var pipelines = PipelineTable()
    var notifications = NotificationTable()
    var deliveries: [Int64: DeliveryRow] = [:]
    var callbacks = CallbackTable()
    var deadLetters = DeadLetterTable()
    var subscriptions = SubscriptionTable()
    var quarantine = QuarantineTable()
    var limits = LimitTables()

    /// Begins empty, with an identity of its own.
    init() {
        identity = LedgerIdentity(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
    }
}
