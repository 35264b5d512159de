// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The readers' statements for recipients who wait in chunks.
struct ChunkReads {
    private let sums: Statement
    private let start: Statement
    private let chunks: Statement
    private let find: Statement
    private let statuses: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        sums = try prepare("SELECT queue, sum(waiting) FROM expansion WHERE NOT fate GROUP BY queue")
        start = try prepare("SELECT reached, fate FROM expansion WHERE notification = ?1")
        chunks = try prepare(
            """
            SELECT first_delivery, recipients FROM chunk
            WHERE first_delivery > ?1 - \(PackedChunk.largest) AND first_delivery < ?2 ORDER BY first_delivery
            """
        )
        find = try prepare(
            "SELECT seq, first_delivery, delivery_count FROM notification WHERE pipeline = ?1 AND id = ?2"
        )
        statuses = try prepare("SELECT status, count(*) FROM delivery WHERE seq >= ?1 AND seq < ?2 GROUP BY status")
    }

    /// Counts who waits, by queue; of all pipelines.
    func depths() throws(SQLiteError) -> [(queue: Queue, count: Int)] {
        defer { sums.reset() }
        var found: [(queue: Queue, count: Int)] = []
        while try sums.step() {
            if let queue = Queue(key: sums.integer(0)) { found.append((queue, Int(sums.integer(1)))) }
        }
        return found
    }

    /// A recipient whose delivery is not made yet, unless it was made ahead.
    struct Waiting {
        let number: Int64
        let delivery: NewDelivery
        let status: DeliveryStatus
    }

    /// From which number on a notification's deliveries may not be made yet; `nil` where all are.
    func reached(_ notification: Int64) throws(SQLiteError) -> Int64? {
        start.bind(notification, at: 1)
        defer { start.reset() }
        return try start.step() ? start.integer(0) : nil
    }

    /// All recipients who are no deliveries yet, or were made ahead; damaged chunks are left out.
    func waiting(of notification: Int64, _ deliveries: Range<Int64>) throws(SQLiteError) -> [Waiting] {
        start.bind(notification, at: 1)
        defer { start.reset() }
        guard try start.step() else { return [] }
        let reached = max(start.integer(0), deliveries.lowerBound)
        let fate = StatusCode.status(start.integer(1))
        chunks.bind(reached, at: 1)
        chunks.bind(deliveries.upperBound, at: 2)
        defer { chunks.reset() }
        var found: [Waiting] = []
        while try chunks.step() {
            let first = chunks.integer(0)
            guard let recipients = try? PackedChunk.unpack(chunks.bytes(1)) else { continue }
            for (place, delivery) in recipients.enumerated() {
                let number = first + Int64(place)
                guard number >= reached, number < deliveries.upperBound else { continue }
                let status = delivery.isOpen == true ? fate : .invalidSubscription
                found.append(Waiting(number: number, delivery: delivery, status: status))
            }
        }
        return found
    }

    func progress(of id: NotificationID, in pipeline: PipelineNumber) throws(SQLiteError) -> NotificationProgress? {
        find.bind(Int64(pipeline.rawValue), at: 1)
        find.bind(id: id, at: 2)
        defer { find.reset() }
        guard try find.step() else { return nil }
        let deliveries = find.deliveries(first: 1, count: 2)
        statuses.bind(deliveries.lowerBound, at: 1)
        statuses.bind(deliveries.upperBound, at: 2)
        defer { statuses.reset() }
        var made: [DeliveryStatus: Int] = [:]
        while try statuses.step() {
            made[StatusCode.status(statuses.integer(0)), default: 0] += Int(statuses.integer(1))
        }
        let waiting = deliveries.count - made.values.reduce(0, +)
        return NotificationProgress(total: deliveries.count, waiting: waiting, made: made)
    }
}
