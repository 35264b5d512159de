// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The reader's statements for what waits.
struct QueueReads {
    private let page: Statement
    private let later: Statement
    private let count: Statement
    private let walk: QueueWalk
    private let chunks: ChunkReads
    let openOf: Statement
    let expired: Statement
    private let devices: Statement
    private let notification: Statement

    private static let columns = "seq, notification, recipient, status, attempts, due, fallback, text_state, phone"

    init(_ connection: Connection, chunks: ChunkReads) throws(SQLiteError) {
        self.chunks = chunks
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        page = try prepare(Self.pageQuery)
        later = try prepare(
            "SELECT due FROM delivery WHERE open AND queue = ?1 AND priority = ?2 AND due > ?3 ORDER BY due LIMIT 1"
        )
        count = try prepare("SELECT count(*) FROM delivery WHERE open AND queue = ?1")
        walk = try QueueWalk(connection)
        openOf = try prepare(
            "SELECT \(Self.columns) FROM delivery WHERE seq >= ?1 AND seq < ?2 AND open ORDER BY seq LIMIT ?3"
        )
        expired = try prepare(
            """
            SELECT seq, expires, first_delivery, delivery_count FROM notification
            WHERE pipeline = ?1 AND expires >= ?2 AND expires <= ?3 ORDER BY expires, seq
            """
        )
        devices = try prepare("SELECT device FROM attempt WHERE delivery = ?1 ORDER BY device")
        notification = try prepare(
            "SELECT id, content, accepted, first_delivery, delivery_count FROM notification WHERE seq = ?1"
        )
    }

    // One priority at a time: what is due is then one stretch of the index, however much waits for later.
    static let pageQuery = """
        SELECT \(columns) FROM delivery
        WHERE open AND queue = ?1 AND priority = ?2 AND due <= ?3 ORDER BY due, seq LIMIT ?4
        """

    func depths(of pipeline: PipelineNumber) throws(SQLiteError) -> [Queue: Int] {
        var depths: [Queue: Int] = [:]
        for lane in Queue.Lane.allCases { depths[Queue(pipeline: pipeline, lane: lane)] = 0 }
        for queue in try walk.queues(of: pipeline) { depths[queue] = try depth(of: queue.key) }
        for (queue, count) in try chunks.depths() where queue.pipeline == pipeline {
            depths[queue, default: 0] += count
        }
        return depths
    }

    private func depth(of key: Int64) throws(SQLiteError) -> Int {
        count.bind(key, at: 1)
        defer { count.reset() }
        return try count.step() ? Int(count.integer(0)) : 0
    }

    func due(_ queue: Queue, now: DueTime, limit: Int) throws(SQLiteError) -> DuePage {
        var rows: [DeliveryRow] = []
        page.bind(queue.key, at: 1)
        page.bind(now, at: 3)
        for priority in Priorities.descending where rows.count < limit {
            page.bind(priority, at: 2)
            page.bind(Int64(limit - rows.count), at: 4)
            try append(rowsOf: page, to: &rows)
        }
        return DuePage(
            deliveries: try assemble(rows),
            nextDue: try nextDue(queue, after: now),
            hasMore: rows.count >= limit
        )
    }

    private func nextDue(_ queue: Queue, after now: DueTime) throws(SQLiteError) -> DueTime? {
        later.bind(queue.key, at: 1)
        later.bind(now, at: 3)
        var earliest: DueTime?
        for priority in Priorities.descending {
            later.bind(priority, at: 2)
            if try later.step() { earliest = min(earliest ?? .distantFuture, later.dueTime(0)) }
            later.reset()
        }
        return earliest
    }

    func append(rowsOf statement: Statement, to rows: inout [DeliveryRow]) throws(SQLiteError) {
        defer { statement.reset() }
        while try statement.step() { rows.append(DeliveryRow(statement)) }
    }

    /// Gives the rows their notifications, each read once.
    ///
    /// Damaged ones are said to be so: they have to end, and must not stop the rest.
    func assemble(_ rows: [DeliveryRow]) throws(SQLiteError) -> [QueuedDelivery] {
        var known: [Int64: Outgoing] = [:]
        var deliveries: [QueuedDelivery] = []
        deliveries.reserveCapacity(rows.count)
        for row in rows {
            let cached = known[row.notification]
            let read = try cached == nil ? self.outgoing(row.notification, firstRecipient: row.recipient) : nil
            guard let outgoing = cached ?? read else { continue }
            known[row.notification] = outgoing
            deliveries.append(
                QueuedDelivery(
                    sequence: row.sequence,
                    notification: outgoing.notification,
                    recipient: row.recipient,
                    status: row.status,
                    attempts: row.attempts,
                    due: row.due,
                    finishedDevices: try finishedDevices(of: row.sequence),
                    fallback: row.fallback,
                    sms: row.text,
                    phone: row.phone,
                    isDamaged: outgoing.isDamaged
                )
            )
        }
        return deliveries
    }

    private func finishedDevices(of delivery: Int64) throws(SQLiteError) -> [Int64] {
        devices.bind(delivery, at: 1)
        defer { devices.reset() }
        var found: [Int64] = []
        while try devices.step() { found.append(devices.integer(0)) }
        return found
    }

    // The recipients of a big notification are not read again for each page; a single one is at hand.
    private func outgoing(_ sequence: Int64, firstRecipient: RecipientID) throws(SQLiteError) -> Outgoing {
        notification.bind(sequence, at: 1)
        defer { notification.reset() }
        guard try notification.step() else { return .damaged(sequence, id: "", acceptedAt: .epoch) }
        let recipients = notification.integer(4) == 1 ? [Recipient(firstRecipient)] : []
        let id = notification.notificationID(0)
        let decoded = try? NotificationCodec.decode(notification.bytes(1), id: id, recipients: recipients)
        let acceptedAt = notification.wallTime(2)
        guard let decoded else { return .damaged(sequence, id: id, acceptedAt: acceptedAt) }
        return Outgoing(
            notification: OutgoingNotification(notification: decoded, sequence: sequence, acceptedAt: acceptedAt),
            isDamaged: false
        )
    }

    /// A notification as far as it can be read.
    private struct Outgoing {
        let notification: OutgoingNotification
        let isDamaged: Bool

        /// Stands for one whose content cannot be read.
        static func damaged(_ sequence: Int64, id: NotificationID, acceptedAt: WallTime) -> Outgoing {
            let content = PushContent(badge: 0, text: "", type: .universal)
            let empty = Notification(id: id, recipients: [], timeout: 0, content: content)
            let outgoing = OutgoingNotification(notification: empty, sequence: sequence, acceptedAt: acceptedAt)
            return Outgoing(notification: outgoing, isDamaged: true)
        }
    }
}

/// A delivery as its table has it.
struct DeliveryRow {
    let sequence: Int64
    let notification: Int64
    let recipient: RecipientID
    let status: DeliveryStatus
    let attempts: Int
    let due: DueTime
    let fallback: DueTime?
    let text: SMSState?
    let phone: String?

    init(_ row: Statement) {
        sequence = row.integer(0)
        notification = row.integer(1)
        recipient = RecipientID(row.text(2))
        status = StatusCode.status(row.integer(3))
        attempts = Int(row.integer(4))
        due = row.dueTime(5)
        fallback = row.optionalDueTime(6)
        text = row.optionalInteger(7).map(TextCode.state)
        phone = row.optionalText(8)
    }
}

/// The priorities a notification may have.
enum Priorities {
    static let descending: [Int64] = (0...10).reversed()

    /// What is stored: pages look only where a priority can be.
    static func stored(_ priority: Int) -> Int64 { Int64(min(max(priority, 0), 10)) }
}
