// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

extension QueueReads {
    /// What one look at expired notifications found.
    struct Sweep {
        var deliveries: [QueuedDelivery]
        var firstOpen: SweepPosition?
        var reached: SweepPosition
        var isRoundOver: Bool
    }

    // One read transaction must not last: the log cannot begin anew meanwhile.
    private static let looksAtOnce = 20_000

    /// Reads open deliveries of expired notifications from a place on.
    func sweep(
        _ pipeline: PipelineNumber,
        from start: SweepPosition,
        now: WallTime,
        limit: Int
    ) throws(SQLiteError) -> Sweep {
        var rows: [DeliveryRow] = []
        var firstOpen: SweepPosition?
        var reached = start
        expired.bind(Int64(pipeline.rawValue), at: 1)
        expired.bind(start.expires, at: 2)
        expired.bind(now, at: 3)
        defer { expired.reset() }
        var looks = 0
        while rows.count < limit, looks < Self.looksAtOnce {
            looks += 1
            guard try expired.step() else {
                let sweep = Sweep(deliveries: [], firstOpen: firstOpen, reached: reached, isRoundOver: true)
                return try finish(sweep, rows)
            }
            let place = ExpiredNotification(expired)
            guard place.start.notification >= start.notification || place.start.expires > start.expires else {
                continue
            }
            let isResumed = place.start.expires == start.expires && place.start.notification == start.notification
            let before = rows.count
            openOf.bind(isResumed ? max(start.delivery, place.start.delivery) : place.start.delivery, at: 1)
            openOf.bind(place.end, at: 2)
            openOf.bind(Int64(limit - before), at: 3)
            try append(rowsOf: openOf, to: &rows)
            reached = place.start
            reached.delivery = rows.count == limit ? (rows.last?.sequence ?? 0) + 1 : place.end
            if firstOpen == nil, rows.count > before {
                firstOpen = place.start
                firstOpen?.delivery = rows[before].sequence
            }
        }
        return try finish(Sweep(deliveries: [], firstOpen: firstOpen, reached: reached, isRoundOver: false), rows)
    }

    private func finish(_ sweep: Sweep, _ rows: [DeliveryRow]) throws(SQLiteError) -> Sweep {
        var sweep = sweep
        sweep.deliveries = try assemble(rows)
        return sweep
    }

    private struct ExpiredNotification {
        let start: SweepPosition
        let end: Int64

        init(_ row: Statement) {
            start = SweepPosition(expires: row.wallTime(1), notification: row.integer(0), delivery: row.integer(2))
            end = row.deliveries(first: 2, count: 3).upperBound
        }
    }
}
