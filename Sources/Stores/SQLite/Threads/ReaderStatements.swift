// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite

/// All that a reading thread prepared.
final class ReaderStatements {
    let begin: Statement
    let commit: Statement
    let notifications: NotificationReads
    let chunks: ChunkReads
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
        chunks = try ChunkReads(connection)
        notifications = try NotificationReads(connection, chunks: chunks)
        queues = try QueueReads(connection, chunks: chunks)
        subscriptions = try SubscriptionReads(connection)
        receipts = try ReceiptReads(connection, chunks: chunks)
        timelines = try TimelineReads(connection, schedule: schedule, chunks: chunks)
        callbacks = try CallbackReads(connection)
        deadLetters = try DeadLetterReads(connection)
        quarantine = try QuarantineReads(connection)
        pauses = try PauseReads(connection)
    }
}
