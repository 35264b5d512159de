// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for what became of calls to banks, and for dead letters.
struct CallbackSettling {
    private let connection: Connection
    private let callbacks: CallbackWrites
    private let remove: Statement
    private let endEmpty: Statement
    private let move: Statement
    private let member: Statement
    private let deadLetter: Statement
    private let find: Statement
    private let drop: Statement

    init(_ connection: Connection, callbacks: CallbackWrites) throws(SQLiteError) {
        self.connection = connection
        self.callbacks = callbacks
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        remove = try prepare("DELETE FROM callback WHERE seq = ?2 AND line = ?1")
        endEmpty = try prepare(CallbackWrites.endEmptyLine)
        move = try prepare("UPDATE callback_line SET due = ?2, attempts = ?3 WHERE seq = ?1")
        member = try prepare("SELECT delivery, kind, at FROM callback WHERE seq = ?2 AND line = ?1")
        deadLetter = try prepare(
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
        let change = CallbackRule.settle(settlement.end, now: callbacks.schedule.read().due)
        if let deadLettering = change.deadLettering { try deadLetter(settlement, deadLettering) }
        if change.removesCall { try remove(settlement) }
        move.bind(settlement.line, at: 1)
        move.bind(change.due, at: 2)
        move.bind(Int64(change.attempts), at: 3)
        try move.run()
        guard change.removesCall else { return }
        endEmpty.bind(settlement.line, at: 1)
        try endEmpty.run()
    }

    private func remove(_ settlement: CallbackSettlement) throws(SQLiteError) {
        remove.bind(settlement.line, at: 1)
        for callback in settlement.callbacks {
            remove.bind(callback, at: 2)
            try remove.run()
        }
    }

    private func deadLetter(
        _ settlement: CallbackSettlement,
        _ deadLettering: CallbackRule.DeadLettering
    ) throws(SQLiteError) {
        guard let remains = DeadLetterRule.deadLetter(try callbacks(of: settlement)) else { return }
        deadLetter.bind(settlement.line, at: 1)
        deadLetter.bind(KindCode.of(remains.kind), at: 2)
        deadLetter.bind(NumberListCodec.encode(remains.deliveries), at: 3)
        deadLetter.bind(Int64(remains.deliveries.count), at: 4)
        deadLetter.bind(remains.at, at: 5)
        deadLetter.bind(settlement.at, at: 6)
        deadLetter.bind(Int64(deadLettering.attempts), at: 7)
        deadLetter.bind(deadLettering.reason, at: 8)
        try deadLetter.run()
    }

    /// Those of a call that are still there.
    private func callbacks(of settlement: CallbackSettlement) throws(SQLiteError) -> [LineCallback] {
        var found: [LineCallback] = []
        member.bind(settlement.line, at: 1)
        defer { member.reset() }
        for callback in settlement.callbacks {
            member.reset()
            member.bind(callback, at: 2)
            guard try member.step() else { continue }
            found.append(
                LineCallback(
                    delivery: member.integer(0),
                    kind: KindCode.kind(member.integer(1)),
                    at: member.wallTime(2)
                )
            )
        }
        return found
    }

    /// Puts a dead letter's callbacks at the end of their line; returns whether it was there.
    func replay(_ number: Int64) throws(SQLiteError) -> Bool {
        find.bind(number, at: 1)
        defer { find.reset() }
        guard try find.step() else { return false }
        let now = callbacks.schedule.read().due
        let line = try callbacks.line(link: find.integer(0), notification: find.integer(1), due: now)
        guard let deliveries = try? NumberListCodec.decode(find.bytes(3)) else {
            throw SQLiteError(code: .corrupt, message: "a dead letter is damaged")
        }
        let remains = DeadLetterRule.Remains(
            kind: KindCode.kind(find.integer(2)),
            deliveries: deliveries,
            at: find.wallTime(4)
        )
        for callback in remains.callbacks {
            try callbacks.add(callback.kind, delivery: callback.delivery, to: line, at: callback.at, since: now)
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
