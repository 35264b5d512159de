// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The readers' statements for those who speak of a notification.
struct ReceiptReads {
    private let find: Statement
    private let deliveryTo: Statement
    private let recipient: Statement
    private let details: Statement
    private let chunks: ChunkReads

    init(_ connection: Connection, chunks: ChunkReads) throws(SQLiteError) {
        self.chunks = chunks
        find = try Statement(
            "SELECT first_delivery, delivery_count, is_sorted, seq FROM notification WHERE pipeline = ?1 AND id = ?2",
            on: connection
        )
        deliveryTo = try Statement(
            "SELECT seq FROM delivery WHERE seq >= ?1 AND seq < ?2 AND recipient = ?3 LIMIT 1",
            on: connection
        )
        recipient = try Statement("SELECT recipient FROM delivery WHERE seq = ?1", on: connection)
        details = try Statement(
            """
            SELECT n.content, n.accepted, n.expires, n.delivery_count, d.status
            FROM delivery d JOIN notification n ON n.seq = d.notification WHERE d.seq = ?1
            """,
            on: connection
        )
    }

    func delivery(
        of id: NotificationID,
        to user: RecipientID,
        in pipeline: PipelineNumber
    ) throws(SQLiteError) -> Int64? {
        find.bind(Int64(pipeline.rawValue), at: 1)
        find.bind(id: id, at: 2)
        defer { find.reset() }
        guard try find.step() else { return nil }
        let deliveries = find.deliveries(first: 0, count: 1)
        guard find.integer(2) == 1 else { return try look(through: deliveries, for: user) }
        guard let reached = try chunks.reached(find.integer(3)) else { return try search(deliveries, for: user) }
        // Beyond that only those were made that come before others of the same recipient: a few.
        let made = deliveries.clamped(to: 0..<max(reached, 0))
        if let found = try search(made, for: user) { return found }
        return try look(through: made.upperBound..<deliveries.upperBound, for: user)
    }

    /// Halves until one is left: the deliveries are in the order of their recipients.
    private func search(_ deliveries: Range<Int64>, for user: RecipientID) throws(SQLiteError) -> Int64? {
        var (low, high) = (deliveries.lowerBound, deliveries.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            recipient.bind(middle, at: 1)
            defer { recipient.reset() }
            guard try recipient.step() else { return nil }
            let found = RecipientID(recipient.text(0))
            if found == user { return middle }
            if found < user { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    private func look(through deliveries: Range<Int64>, for user: RecipientID) throws(SQLiteError) -> Int64? {
        deliveryTo.bind(deliveries.lowerBound, at: 1)
        deliveryTo.bind(deliveries.upperBound, at: 2)
        deliveryTo.bind(user.text, at: 3)
        defer { deliveryTo.reset() }
        return try deliveryTo.step() ? deliveryTo.integer(0) : nil
    }

    func details(ofDelivery delivery: Int64, now: WallTime) throws -> PushDetails? {
        details.bind(delivery, at: 1)
        defer { details.reset() }
        guard try details.step() else { return nil }
        let notification = try NotificationCodec.decode(details.bytes(0), id: "", recipients: [])
        return NotificationRule.shownDetails(
            notification,
            accepted: details.wallTime(1),
            expires: details.wallTime(2),
            recipients: Int(details.integer(3)),
            status: StatusCode.status(details.integer(4)),
            now: now
        )
    }
}
