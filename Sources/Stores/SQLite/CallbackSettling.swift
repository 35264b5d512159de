// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for what became of calls to banks, and for dead letters.
struct CallbackSettling {
    private let connection: Connection
    private let callbacks: CallbackWrites
    private let remove: Statement
    private let goOn: Statement
    private let endEmpty: Statement
    private let postpone: Statement
    private let members: Statement
    private let bury: Statement
    private let find: Statement
    private let drop: Statement

    init(_ connection: Connection, callbacks: CallbackWrites) throws(SQLiteError) {
        self.connection = connection
        self.callbacks = callbacks
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        remove = try prepare("DELETE FROM callback WHERE line = ?1 AND seq BETWEEN ?2 AND ?3")
        goOn = try prepare("UPDATE callback_line SET due = ?2, attempts = 0 WHERE seq = ?1")
        endEmpty = try prepare(CallbackWrites.endEmptyLine)
        postpone = try prepare("UPDATE callback_line SET due = ?2, attempts = ?3 WHERE seq = ?1")
        members = try prepare(
            "SELECT delivery, kind, at FROM callback WHERE line = ?1 AND seq BETWEEN ?2 AND ?3 ORDER BY seq"
        )
        bury = try prepare(
            """
            INSERT INTO dead_letter (link, notification, kind, deliveries, delivery_count, at, died, attempts, reason)
            SELECT link, notification, ?2, ?3, ?4, ?5, ?6, ?7, ?8 FROM callback_line WHERE seq = ?1
            """
        )
        find = try prepare(
            """
            SELECT d.link, d.notification, d.kind, d.deliveries, d.at, l.pipeline
            FROM dead_letter d JOIN link l ON l.number = d.link WHERE d.seq = ?1
            """
        )
        drop = try prepare("DELETE FROM dead_letter WHERE seq = ?1")
    }

    func settle(_ settlement: CallbackSettlement) throws(SQLiteError) {
        switch settlement.end {
        case .told: break
        case .later(let due, let attempts):
            postpone.bind(settlement.line, at: 1)
            postpone.bind(due, at: 2)
            postpone.bind(Int64(attempts), at: 3)
            return try postpone.run()
        case .dead(let attempts, let reason): try bury(settlement, attempts, reason)
        }
        remove.bind(settlement.line, at: 1)
        remove.bind(settlement.callbacks.lowerBound, at: 2)
        remove.bind(settlement.callbacks.upperBound, at: 3)
        try remove.run()
        goOn.bind(settlement.line, at: 1)
        goOn.bind(callbacks.schedule.read().due, at: 2)
        try goOn.run()
        endEmpty.bind(settlement.line, at: 1)
        try endEmpty.run()
    }

    private func bury(_ settlement: CallbackSettlement, _ attempts: Int, _ reason: String) throws(SQLiteError) {
        var deliveries: [Int64] = []
        var kind: Int64 = 0
        var at = WallTime.distantFuture
        members.bind(settlement.line, at: 1)
        members.bind(settlement.callbacks.lowerBound, at: 2)
        members.bind(settlement.callbacks.upperBound, at: 3)
        defer { members.reset() }
        while try members.step() {
            deliveries.append(members.integer(0))
            kind = members.integer(1)
            at = min(at, members.wallTime(2))
        }
        guard !deliveries.isEmpty else { return }
        bury.bind(settlement.line, at: 1)
        bury.bind(kind, at: 2)
        bury.bind(NumberListCodec.encode(deliveries), at: 3)
        bury.bind(Int64(deliveries.count), at: 4)
        bury.bind(at, at: 5)
        bury.bind(settlement.at, at: 6)
        bury.bind(Int64(attempts), at: 7)
        bury.bind(reason, at: 8)
        try bury.run()
    }

    /// Puts a dead letter's callbacks at the end of their line; returns whether it was there.
    func replay(_ number: Int64) throws(SQLiteError) -> Bool {
        find.bind(number, at: 1)
        defer { find.reset() }
        guard try find.step() else { return false }
        let kind = KindCode.kind(find.integer(2))
        let now = callbacks.schedule.read().due
        let line = try callbacks.line(link: find.integer(0), notification: find.integer(1), due: now)
        guard let deliveries = try? NumberListCodec.decode(find.bytes(3)) else {
            throw SQLiteError(code: .corrupt, message: "a dead letter is damaged")
        }
        for delivery in deliveries {
            try callbacks.add(kind, delivery: delivery, to: line, at: find.wallTime(4), since: now)
        }
        callbacks.wake(find.integer(5))
        return try drop(number)
    }

    /// Forgets a dead letter; returns whether it was there.
    func drop(_ number: Int64) throws(SQLiteError) -> Bool {
        drop.bind(number, at: 1)
        try drop.run()
        return connection.changes == 1
    }
}
