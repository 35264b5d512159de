// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite

/// All that a reading thread prepared.
final class ReaderStatements {
    let begin: Statement
    let commit: Statement
    let notifications: NotificationReads
    let queues: QueueReads
    let subscriptions: SubscriptionReads
    let receipts: ReceiptReads
    let timelines: TimelineReads
    let callbacks: CallbackReads
    let deadLetters: DeadLetterReads
    let quarantine: QuarantineReads
    let pauses: PauseReads

    init(_ connection: Connection, schedule: ScheduleClock) throws(SQLiteError) {
        begin = try Statement("BEGIN", on: connection)
        commit = try Statement("COMMIT", on: connection)
        notifications = try NotificationReads(connection)
        queues = try QueueReads(connection)
        subscriptions = try SubscriptionReads(connection)
        receipts = try ReceiptReads(connection)
        timelines = try TimelineReads(connection, schedule: schedule)
        callbacks = try CallbackReads(connection)
        deadLetters = try DeadLetterReads(connection)
        quarantine = try QuarantineReads(connection)
        pauses = try PauseReads(connection)
    }
}
