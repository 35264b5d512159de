// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The readers' statements for what a bank asks of its notifications.
struct NotificationReads {
    private let find: Statement
    private let deliveries: Statement
    private let chunks: ChunkReads

    init(_ connection: Connection, chunks: ChunkReads) throws(SQLiteError) {
        self.chunks = chunks
        find = try Statement(
            """
            SELECT first_delivery, delivery_count, content, accepted, expires,
                (SELECT places FROM bank_order WHERE notification = seq), seq
            FROM notification WHERE pipeline = ?1 AND id = ?2
            """,
            on: connection
        )
        deliveries = try Statement(
            "SELECT recipient, spellings, status, seq FROM delivery WHERE seq >= ?1 AND seq < ?2 ORDER BY seq",
            on: connection
        )
    }

    func notification(_ id: NotificationID, in pipeline: PipelineNumber, now: WallTime) throws -> Notification? {
        guard let row = try row(of: id, in: pipeline) else { return nil }
        let named = try named(in: row)
        let notification = try NotificationCodec.decode(row.content, id: id, recipients: named.map(\.recipient))
        let isOver = now >= row.end || named.allSatisfy { $0.status == .read }
        guard notification.content.type == .pinCode, isOver else { return notification }
        return notification.erased
    }

    func statuses(of id: NotificationID, in pipeline: PipelineNumber) throws -> [RecipientStatus]? {
        guard let row = try row(of: id, in: pipeline) else { return nil }
        return try named(in: row).map { RecipientStatus($0.recipient.spelling, $0.status) }
    }

    private struct Row {
        let sequence: Int64
        let deliveries: Range<Int64>
        let content: [UInt8]
        /// When its time has passed.
        let end: WallTime
        /// The bank's order, where the deliveries are in another.
        let order: [UInt8]?
    }

    /// Whom a bank named, as it spelt them.
    private struct Named {
        var recipient: Recipient
        let status: DeliveryStatus

        init(_ spelling: RecipientID, of id: RecipientID, _ status: DeliveryStatus) {
            recipient = Recipient(spelling)
            recipient.id = id
            self.status = status
        }
    }

    private func row(of id: NotificationID, in pipeline: PipelineNumber) throws(SQLiteError) -> Row? {
        find.bind(Int64(pipeline.rawValue), at: 1)
        find.bind(id: id, at: 2)
        defer { find.reset() }
        guard try find.step() else { return nil }
        return Row(
            sequence: find.integer(6),
            deliveries: find.deliveries(first: 0, count: 1),
            content: find.bytes(2),
            end: NotificationTime.end(accepted: find.wallTime(3), expires: find.wallTime(4)),
            order: find.optionalBytes(5)
        )
    }

    /// All spellings, in the bank's order.
    private func named(in row: Row) throws -> [Named] {
        var waiting = try chunks.waiting(of: row.sequence, row.deliveries)[...]
        deliveries.bind(row.deliveries.lowerBound, at: 1)
        deliveries.bind(row.deliveries.upperBound, at: 2)
        defer { deliveries.reset() }
        var list = NamedList()
        while try deliveries.step() {
            let recipient = RecipientID(deliveries.text(0))
            let spellings = try deliveries.optionalBytes(1).map { try RecipientListCodec.decode($0) } ?? [recipient]
            let number = deliveries.integer(3)
            // Whoever waits stands between those that were made ahead, who are among those that wait as well.
            while let next = waiting.first, next.number < number { list.add(waiting.removeFirst()) }
            if waiting.first?.number == number { waiting.removeFirst() }
            list.add(recipient, spellings, StatusCode.status(deliveries.integer(2)))
        }
        for rest in waiting { list.add(rest) }
        return row.order.map { BankOrder.arrange(list.named, of: list.ranges, by: $0) } ?? list.named
    }

    /// Spellings, one delivery's after another's.
    private struct NamedList {
        private(set) var named: [Named] = []
        private(set) var ranges: [Range<Int>] = []

        mutating func add(_ recipient: RecipientID, _ spellings: [RecipientID], _ status: DeliveryStatus) {
            let first = named.count
            for spelling in spellings { named.append(Named(spelling, of: recipient, status)) }
            ranges.append(first..<named.count)
        }

        mutating func add(_ waiting: ChunkReads.Waiting) {
            add(waiting.delivery.recipient, waiting.delivery.spellings, waiting.status)
        }
    }
}
