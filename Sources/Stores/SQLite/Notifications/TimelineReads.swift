// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The readers' statements for timelines: the normal steps are columns of the delivery, exceptions are rows.
struct TimelineReads {
    private let schedule: ScheduleClock
    private let find: Statement
    private let deliveries: Statement
    private let events: Statement
    private let receipts: Statement
    private let chunks: ChunkReads

    init(_ connection: Connection, schedule: ScheduleClock, chunks: ChunkReads) throws(SQLiteError) {
        self.schedule = schedule
        self.chunks = chunks
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        find = try prepare(
            "SELECT accepted, first_delivery, delivery_count, seq FROM notification WHERE pipeline = ?1 AND id = ?2"
        )
        deliveries = try prepare(
            """
            SELECT seq, recipient, spellings, status, sent, delivered, read, closed, channel,
                CASE WHEN open AND text_state IS NULL THEN fallback END,
                coalesce(
                    (SELECT device FROM subscription s WHERE s.seq = delivery.device),
                    (SELECT device FROM removed_subscription r WHERE r.seq = delivery.device)
                )
            FROM delivery WHERE seq >= ?1 AND seq < ?2 ORDER BY seq
            """
        )
        events = try prepare("SELECT at, text, status, channel, device FROM event WHERE delivery = ?1 ORDER BY seq")
        receipts = try prepare(
            """
            SELECT r.at, r.kind, r.button, s.device FROM receipt r LEFT JOIN subscription s ON s.seq = r.subscription
            WHERE r.delivery = ?1
            """
        )
    }

    func timeline(of id: NotificationID, in pipeline: PipelineNumber, limit: Int) throws -> [TimelineEvent]? {
        find.bind(Int64(pipeline.rawValue), at: 1)
        find.bind(id: id, at: 2)
        defer { find.reset() }
        guard try find.step() else { return nil }
        let now = schedule.read()
        var steps: [TimelineEvent] = []
        var made: Set<Int64> = []
        deliveries.bind(find.integer(1), at: 1)
        deliveries.bind(find.deliveries(first: 1, count: 2).upperBound, at: 2)
        defer { deliveries.reset() }
        while steps.count < limit, try deliveries.step() {
            let sequence = deliveries.integer(0)
            made.insert(sequence)
            steps += TimelineRule.steps(
                of: DeliveryHistory(deliveries),
                rows: try rows(of: sequence),
                receipts: try receipts(of: sequence),
                accepted: find.wallTime(0),
                now: now
            )
        }
        if steps.count < limit, try chunks.reached(find.integer(3)) != nil {
            let waiting = try chunks.waiting(of: find.integer(3), find.deliveries(first: 1, count: 2))
            let others = waiting.lazy.filter { !made.contains($0.number) }.prefix(limit - steps.count)
            steps += others.map { $0.step(at: find.wallTime(0)) }
        }
        return TimelineRule.ordered(steps, limit: limit)
    }

    private func rows(of delivery: Int64) throws(SQLiteError) -> [TimelineRow] {
        events.bind(delivery, at: 1)
        defer { events.reset() }
        var rows: [TimelineRow] = []
        while try events.step() {
            rows.append(
                TimelineRow(
                    EventCode.kind(events.integer(2)),
                    at: events.wallTime(0),
                    text: events.text(1),
                    channel: events.optionalText(3),
                    device: events.optionalText(4)
                )
            )
        }
        return rows
    }

    private func receipts(of delivery: Int64) throws(SQLiteError) -> [ToldReceipt] {
        receipts.bind(delivery, at: 1)
        defer { receipts.reset() }
        var told: [ToldReceipt] = []
        while try receipts.step() {
            told.append(
                ToldReceipt(
                    ReceiptCode.event(receipts.integer(1)),
                    at: receipts.wallTime(0),
                    button: receipts.optionalText(2),
                    device: receipts.optionalText(3)
                )
            )
        }
        return told
    }
}

extension DeliveryHistory {
    /// A delivery's columns, as the query names them.
    fileprivate init(_ row: Statement) {
        let spellings = row.optionalBytes(2).flatMap { try? RecipientListCodec.decode($0) }
        self.init(
            recipient: spellings?.first ?? RecipientID(row.text(1)),
            status: StatusCode.status(row.integer(3)),
            moments: DeliveryState.Moments(
                sent: row.optionalWallTime(4),
                delivered: row.optionalWallTime(5),
                read: row.optionalWallTime(6),
                closed: row.optionalWallTime(7)
            ),
            channel: row.optionalText(8),
            device: row.optionalText(10),
            fallback: row.optionalDueTime(9)
        )
    }
}

extension ChunkReads.Waiting {
    /// The one step there is of it.
    fileprivate func step(at accepted: WallTime) -> TimelineEvent {
        TimelineEvent(at: accepted, recipient: delivery.spellings.first ?? delivery.recipient, event: "accepted")
    }
}

extension EventCode {
    /// The sort of step that a row tells.
    fileprivate static func kind(_ code: Int64) -> TimelineRow.Kind {
        switch code {
        case problem: .problem
        case fallback: .fallback
        case unknown: .unknown
        default: .status(StatusCode.status(code))
        }
    }
}
