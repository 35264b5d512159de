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
            "SELECT first_delivery, delivery_count, content, accepted, expires FROM notification WHERE pipeline = ?1 AND id = ?2",
            on: connection
        )
        deliveries = try Statement(
            "SELECT recipient, spellings, status FROM delivery WHERE seq >= ?1 AND seq < ?2 ORDER BY seq",
            on: connection
        )
    }

    func notification(_ id: NotificationID, in pipeline: PipelineNumber, now: Int64) throws -> Notification? {
        guard let row = try row(of: id, in: pipeline) else { return nil }
        var recipients: [Recipient] = []
        var isRead = true
        try eachDelivery(of: row) { id, spellings, status in
            if status != .read { isRead = false }
            for spelling in spellings {
                var recipient = Recipient(spelling)
                recipient.id = id
                recipients.append(recipient)
            }
        }
        let notification = try NotificationCodec.decode(row.content, id: id, recipients: recipients)
        guard notification.content.type == .pinCode, isRead || now >= row.end else { return notification }
        return notification.erased
    }

    func statuses(of id: NotificationID, in pipeline: PipelineNumber) throws -> [RecipientStatus]? {
        guard let row = try row(of: id, in: pipeline) else { return nil }
        var statuses: [RecipientStatus] = []
        try eachDelivery(of: row) { _, spellings, status in
            for spelling in spellings { statuses.append(RecipientStatus(spelling, status)) }
        }
        return statuses
    }

    private struct Row {
        let deliveries: Range<Int64>
        let content: [UInt8]
        /// When its time has passed.
        let end: Int64
    }

    private func row(of id: NotificationID, in pipeline: PipelineNumber) throws(SQLiteError) -> Row? {
        find.bind(Int64(pipeline.rawValue), at: 1)
        find.bind(id: id, at: 2)
        defer { find.reset() }
        guard try find.step() else { return nil }
        let first = find.integer(0)
        return Row(
            deliveries: first..<(first + max(0, find.integer(1))),
            content: find.bytes(2),
            end: NotificationTime.end(accepted: find.integer(3), expires: find.integer(4))
        )
    }

    private func eachDelivery(
        of row: Row,
        _ body: (RecipientID, [RecipientID], DeliveryStatus) -> Void
    ) throws {
        deliveries.bind(row.deliveries.lowerBound, at: 1)
        deliveries.bind(row.deliveries.upperBound, at: 2)
        defer { deliveries.reset() }
        while try deliveries.step() {
            let recipient = RecipientID(deliveries.text(0))
            let spellings = try deliveries.optionalBytes(1).map { try RecipientListCodec.decode($0) } ?? [recipient]
            body(recipient, spellings, StatusCode.status(deliveries.integer(2)))
        }
    }
}
