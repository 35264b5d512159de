// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The readers' statements for what a bank asks of its notifications.
struct NotificationReads {
    private let find: Statement
    private let deliveries: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        find = try Statement(
            """
            SELECT first_delivery, delivery_count, content, accepted, expires,
                (SELECT places FROM bank_order WHERE notification = seq)
            FROM notification WHERE pipeline = ?1 AND id = ?2
            """,
            on: connection
        )
        deliveries = try Statement(
            "SELECT recipient, spellings, status FROM delivery WHERE seq >= ?1 AND seq < ?2 ORDER BY seq",
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
        let deliveries: Range<Int64>
        let content: [UInt8]
        /// When its time has passed.
        let end: WallTime
        /// The bank's order, where the deliveries are in another.
        let order: [UInt8]?
    }

    /// Whom a bank named, as it spelt him.
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
            deliveries: find.deliveries(first: 0, count: 1),
            content: find.bytes(2),
            end: NotificationTime.end(accepted: find.wallTime(3), expires: find.wallTime(4)),
            order: find.optionalBytes(5)
        )
    }

    /// All spellings, in the bank's order.
    private func named(in row: Row) throws -> [Named] {
        deliveries.bind(row.deliveries.lowerBound, at: 1)
        deliveries.bind(row.deliveries.upperBound, at: 2)
        defer { deliveries.reset() }
        var named: [Named] = []
        var ranges: [Range<Int>] = []
        while try deliveries.step() {
            let recipient = RecipientID(deliveries.text(0))
            let spellings = try deliveries.optionalBytes(1).map { try RecipientListCodec.decode($0) } ?? [recipient]
            let status = StatusCode.status(deliveries.integer(2))
            let first = named.count
            named += spellings.map { Named($0, of: recipient, status) }
            ranges.append(first..<named.count)
        }
        return row.order.map { BankOrder.arrange(named, of: ranges, by: $0) } ?? named
    }
}
