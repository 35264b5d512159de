// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite
import Threads

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
            WHERE r.delivery = ?1 ORDER BY r.at, r.kind
            """
        )
    }

    func timeline(of id: NotificationID, in pipeline: PipelineNumber, limit: Int) throws -> [TimelineEvent]? {
        find.bind(Int64(pipeline.rawValue), at: 1)
        find.bind(id: id, at: 2)
        defer { find.reset() }
        guard try find.step() else { return nil }
        var steps: [TimelineEvent] = []
        var made: Set<Int64> = []
        deliveries.bind(find.integer(1), at: 1)
        deliveries.bind(find.deliveries(first: 1, count: 2).upperBound, at: 2)
        defer { deliveries.reset() }
        while steps.count < limit, try deliveries.step() {
            made.insert(deliveries.integer(0))
            steps += try self.steps(of: DeliverySteps(deliveries, accepted: find.wallTime(0), at: schedule.read()))
        }
        if steps.count < limit, try chunks.reached(find.integer(3)) != nil {
            let waiting = try chunks.waiting(of: find.integer(3), find.deliveries(first: 1, count: 2))
            let others = waiting.lazy.filter { !made.contains($0.number) }.prefix(limit - steps.count)
            steps += others.map { $0.step(at: find.wallTime(0)) }
        }
        // A sort that keeps the order of what happened in the same millisecond: it is the order of the steps.
        let order = steps.indices.sorted { (steps[$0].at, $0) < (steps[$1].at, $1) }
        return order.prefix(limit).map { steps[$0] }
    }

    private func steps(of delivery: DeliverySteps) throws(SQLiteError) -> [TimelineEvent] {
        var steps = delivery.normal
        // In the same millisecond what led to a success stands before it; `accepted` is the first of all.
        var led: [TimelineEvent] = []
        events.bind(delivery.sequence, at: 1)
        defer { events.reset() }
        while try events.step() {
            let text = events.text(1)
            let code = events.integer(2)
            func add(to steps: inout [TimelineEvent]) {
                delivery.add(
                    EventCode.step(code),
                    at: events.wallTime(0),
                    channel: events.optionalText(3),
                    device: events.optionalText(4),
                    detail: text.isEmpty ? nil : text,
                    to: &steps
                )
            }
            if code == EventCode.problem || code == EventCode.fallback { add(to: &led) } else { add(to: &steps) }
        }
        steps.insert(contentsOf: led, at: 1)
        if let end = delivery.end { steps.append(end) }
        receipts.bind(delivery.sequence, at: 1)
        defer { receipts.reset() }
        while try receipts.step() {
            delivery.add(
                ReceiptCode.event(receipts.integer(1)),
                at: receipts.wallTime(0),
                device: receipts.optionalText(3),
                button: receipts.optionalText(2),
                to: &steps
            )
        }
        return steps
    }
}

/// A delivery's columns, as steps.
private struct DeliverySteps {
    let sequence: Int64
    let recipient: RecipientID
    private(set) var normal: [TimelineEvent] = []
    /// Where it ended without the phone; told after what led to it in the same millisecond.
    private(set) var end: TimelineEvent?

    init(_ row: Statement, accepted: WallTime, at now: ClockReading) throws(SQLiteError) {
        sequence = row.integer(0)
        let spellings = row.optionalBytes(2).flatMap { try? RecipientListCodec.decode($0) }
        recipient = spellings?.first ?? RecipientID(row.text(1))
        let status = row.integer(3)
        add("accepted", at: accepted)
        add(
            DeliveryStatus.sent.step,
            at: row.optionalWallTime(4),
            channel: row.optionalText(8),
            device: row.optionalText(10),
            detail: row.optionalDueTime(9).map { "fallback at \(Timestamp.text(now.wall(at: now.monotonic(at: $0))))" }
        )
        add(DeliveryStatus.delivered.step, at: row.optionalWallTime(5))
        add(DeliveryStatus.read.step, at: row.optionalWallTime(6))
        // An end that a receipt took back is a row of its own.
        if status > 0, status < StatusCode.firstTaken {
            let at = row.optionalWallTime(7) ?? accepted
            end = TimelineEvent(at: at, recipient: recipient, event: StatusCode.status(status).step)
        }
    }

    private mutating func add(
        _ event: String,
        at: WallTime?,
        channel: String? = nil,
        device: String? = nil,
        detail: String? = nil
    ) {
        guard let at else { return }
        normal.append(
            TimelineEvent(
                at: at,
                recipient: recipient,
                device: device,
                channel: channel,
                event: event,
                detail: detail
            )
        )
    }

    /// Names the channel of the step that it told, or adds a step of its own.
    func add(
        _ event: String,
        at: WallTime,
        channel: String?,
        device: String?,
        detail: String?,
        to steps: inout [TimelineEvent]
    ) {
        if channel != nil,
            let index = steps.firstIndex(where: { $0.event == event && $0.at == at && $0.channel == nil })
        {
            steps[index].channel = channel
        } else {
            steps.append(
                TimelineEvent(
                    at: at,
                    recipient: recipient,
                    device: device,
                    channel: channel,
                    event: event,
                    detail: detail
                )
            )
        }
    }

    /// Names the device of the step that a receipt made, or adds the receipt where it made none.
    func add(_ event: Receipt.Event, at: WallTime, device: String?, button: String?, to steps: inout [TimelineEvent]) {
        let step = (event.isReading ? DeliveryStatus.read : .delivered).step
        let detail = button.map { "button \($0)" }
        if let index = steps.firstIndex(where: { $0.event == step && $0.at == at && $0.device == nil }) {
            steps[index].device = device
            steps[index].detail = event == .opened || event == .delivered ? detail : event.told(button)
        } else {
            steps.append(
                TimelineEvent(at: at, recipient: recipient, device: device, event: event.rawValue, detail: detail)
            )
        }
    }
}

extension Receipt.Event {
    /// How a step was come by that has another name.
    fileprivate func told(_ button: String?) -> String {
        guard let button else { return rawValue }
        return "\(rawValue), button \(button)"
    }
}

extension ChunkReads.Waiting {
    /// The one step there is of it.
    fileprivate func step(at accepted: WallTime) -> TimelineEvent {
        TimelineEvent(at: accepted, recipient: delivery.spellings.first ?? delivery.recipient, event: "accepted")
    }
}

extension EventCode {
    /// The name in a timeline of what a row tells.
    fileprivate static func step(_ code: Int64) -> String {
        switch code {
        case problem: "problem"
        case fallback: "fallback"
        case unknown: "unknown"
        default: StatusCode.status(code).step
        }
    }
}

extension DeliveryStatus {
    /// Its name in a timeline.
    fileprivate var step: String { rawValue.lowercased() }
}
