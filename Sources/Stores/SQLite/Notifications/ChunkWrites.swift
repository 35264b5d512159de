// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for large notifications: how they are kept in chunks, and how a chunk becomes deliveries.
struct ChunkWrites {
    /// What copies of this value share.
    private final class Shared {
        /// Whether something may wait: where nothing does, an accept need not ask.
        var mayWait = true
    }

    let connection: Connection
    let insertDelivery: Statement
    let makeOneLess: Statement
    let chunkAt: Statement
    let chunkHolding: Statement
    let advance: Statement
    let removeChunk: Statement
    let removeExpansion: Statement
    let following: Statement
    let removeDamaged: Statement
    private let insertExpansion: Statement
    private let insertChunk: Statement
    private let next: Statement
    private let ofQueue: Statement
    private let isAnyLeft: Statement
    private let find: Statement
    private let doom: Statement
    private let shared = Shared()

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        insertExpansion = try prepare(
            """
            INSERT INTO expansion (notification, queue, priority, due, fallback, reached, waiting, fate, fated, reason)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """
        )
        insertChunk = try prepare("INSERT INTO chunk (first_delivery, first_recipient, recipients) VALUES (?1, ?2, ?3)")
        // One that was made ahead is there already.
        insertDelivery = try prepare(
            """
            INSERT INTO delivery
                (seq, notification, recipient, spellings, queue, priority, due, open, status, attempts, fallback)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, ?10) ON CONFLICT (seq) DO NOTHING
            """
        )
        next = try prepare(
            """
            \(WaitingNotification.query) WHERE e.queue = ?1 AND (?2 OR e.fate OR (
                n.expires <= ?3 AND (n.expires > n.accepted OR n.accepted <= ?3 - \(NotificationTime.nowLasts))
            ))
            ORDER BY e.priority DESC, e.notification LIMIT 1
            """
        )
        ofQueue = try prepare(
            "\(WaitingNotification.query) WHERE e.queue = ?1 AND e.priority >= ?2 AND NOT e.fate ORDER BY e.notification"
        )
        isAnyLeft = try prepare("SELECT 1 FROM expansion WHERE queue = ?1 LIMIT 1")
        chunkAt = try prepare(
            "SELECT first_delivery, recipients FROM chunk WHERE first_delivery <= ?1 ORDER BY first_delivery DESC LIMIT 1"
        )
        chunkHolding = try prepare(
            """
            SELECT first_delivery, recipients FROM chunk
            WHERE first_delivery >= ?1 AND first_delivery < ?2 AND first_recipient <= ?3
            ORDER BY first_delivery DESC LIMIT 1
            """
        )
        advance = try prepare("UPDATE expansion SET reached = ?2, waiting = waiting - ?3 WHERE notification = ?1")
        makeOneLess = try prepare("UPDATE expansion SET waiting = waiting - 1 WHERE notification = ?1")
        removeChunk = try prepare("DELETE FROM chunk WHERE first_delivery = ?1")
        removeExpansion = try prepare("DELETE FROM expansion WHERE notification = ?1")
        following = try prepare(
            "SELECT min(first_delivery) FROM chunk WHERE first_delivery > ?1 AND first_delivery < ?2"
        )
        removeDamaged = try prepare("DELETE FROM chunk WHERE first_delivery >= ?1 AND first_delivery < ?2")
        find = try prepare(
            """
            SELECT n.seq, e.waiting, e.queue, coalesce(e.fate, 0) FROM notification n
            LEFT JOIN expansion e ON e.notification = n.seq WHERE n.pipeline = ?1 AND n.id = ?2
            """
        )
        doom = try prepare("UPDATE expansion SET fate = ?2, fated = ?3, reason = ?4 WHERE notification = ?1")
    }

    /// Keeps the recipients of a notification, whose deliveries have the numbers from `first` on.
    func insert(
        _ acceptance: Acceptance,
        _ packed: PackedAcceptance,
        notification: Int64,
        first: Int64
    ) throws(SQLiteError) {
        shared.mayWait = true
        insertExpansion.bind(notification, at: 1)
        insertExpansion.bind(acceptance.queue.key, at: 2)
        insertExpansion.bind(Priorities.stored(acceptance.notification.priority), at: 3)
        insertExpansion.bind(acceptance.due, at: 4)
        insertExpansion.bind(acceptance.fallback, at: 5)
        insertExpansion.bind(first, at: 6)
        insertExpansion.bind(Int64(acceptance.deliveries.count - packed.closed.count), at: 7)
        insertExpansion.bind(acceptance.dropReason == nil ? 0 : StatusCode.of(.sendingFailed), at: 8)
        insertExpansion.bind(acceptance.dropReason == nil ? nil : acceptance.at.milliseconds, at: 9)
        insertExpansion.bind(acceptance.dropReason, at: 10)
        try insertExpansion.run()
        var number = first
        for chunk in packed.chunks {
            insertChunk.bind(number, at: 1)
            insertChunk.bind(chunk.first.text, at: 2)
            insertChunk.bind(chunk.bytes, at: 3)
            try insertChunk.run()
            number += Int64(chunk.count)
        }
        insertChunk.clear()
    }

    // MARK: What waits

    /// What is next in a queue: without `hasRoom` only what has to end.
    func next(_ queue: Queue, hasRoom: Bool, now: WallTime) throws(SQLiteError) -> WaitingNotification? {
        next.bind(queue.key, at: 1)
        next.bind(hasRoom ? 1 : 0, at: 2)
        next.bind(now, at: 3)
        defer { next.reset() }
        return try next.step() ? WaitingNotification(next) : nil
    }

    /// Whether anything waits in a queue.
    func isAnyLeft(_ queue: Queue) throws(SQLiteError) -> Bool {
        isAnyLeft.bind(queue.key, at: 1)
        defer { isAnyLeft.reset() }
        return try isAnyLeft.step()
    }

    /// What waits in a queue and is to be sent before something of a priority that comes now.
    func before(_ acceptance: Acceptance) throws(SQLiteError) -> [WaitingNotification] {
        guard shared.mayWait else { return [] }
        ofQueue.bind(acceptance.queue.key, at: 1)
        ofQueue.bind(Priorities.stored(acceptance.notification.priority), at: 2)
        defer { ofQueue.reset() }
        var waiting: [WaitingNotification] = []
        while try ofQueue.step() { waiting.append(WaitingNotification(ofQueue)) }
        if waiting.isEmpty, try connection.integer("SELECT 1 FROM expansion LIMIT 1") == nil { shared.mayWait = false }
        return waiting
    }

    /// A transaction failed: what it had removed is there again.
    func rewind() { shared.mayWait = true }

    // MARK: The end

    /// What of a notification is not yet deliveries, by its bank's id; `nil` where there is no such notification.
    func cancel(
        _ id: NotificationID,
        in pipeline: PipelineNumber,
        at: WallTime
    ) throws(SQLiteError) -> (count: Int, queue: Queue?)? {
        find.bind(Int64(pipeline.rawValue), at: 1)
        find.bind(id: id, at: 2)
        defer { find.reset() }
        guard try find.step() else { return nil }
        guard !find.isNull(1), find.integer(3) == 0 else { return (0, nil) }
        doom.bind(find.integer(0), at: 1)
        doom.bind(StatusCode.of(.sendingFailed), at: 2)
        doom.bind(at, at: 3)
        doom.bind("cancelled", at: 4)
        try doom.run()
        return (Int(find.integer(1)), Queue(key: find.integer(2)))
    }
}

/// A notification of which some recipients wait in chunks.
struct WaitingNotification {
    let sequence: Int64
    let priority: Int64
    let due: DueTime
    let fallback: DueTime?
    let reached: Int64
    /// How and when those that wait end, and why; `nil` where they are to be sent.
    let fate: (status: DeliveryStatus, at: WallTime, reason: String)?
    let deliveries: Range<Int64>
    let accepted: WallTime
    let expires: WallTime
    /// `nil` where its content cannot be read.
    let notification: Notification?

    fileprivate static let query = """
        SELECT e.notification, e.priority, e.due, e.fallback, e.reached, e.fate, e.fated, e.reason,
            n.first_delivery, n.delivery_count, n.accepted, n.expires, n.id, n.content
        FROM expansion e JOIN notification n ON n.seq = e.notification
        """

    fileprivate init(_ row: Statement) {
        sequence = row.integer(0)
        priority = row.integer(1)
        due = row.dueTime(2)
        fallback = row.optionalDueTime(3)
        reached = row.integer(4)
        let status = StatusCode.status(row.integer(5))
        fate = status == .queued ? nil : (status, row.wallTime(6), row.text(7))
        deliveries = row.deliveries(first: 8, count: 9)
        accepted = row.wallTime(10)
        expires = row.wallTime(11)
        notification = try? NotificationCodec.decode(row.bytes(13), id: row.notificationID(12), recipients: [])
    }
}
