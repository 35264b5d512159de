// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for registrations that wait for a code.
struct VerificationWrites {
    private let connection: Connection
    private let endExpired: Statement
    private let span: Statement
    private let replace: Statement
    private let insert: Statement
    private let find: Statement
    private let triesOf: Statement
    private let count: Statement
    private let end: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        endExpired = try prepare(
            "DELETE FROM pending WHERE seq IN (SELECT seq FROM pending WHERE expires <= ?1 ORDER BY expires LIMIT ?2)"
        )
        span = try prepare("SELECT (SELECT min(seq) FROM pending), (SELECT max(seq) FROM pending)")
        replace = try prepare("DELETE FROM pending WHERE pipeline = ?1 AND device = ?2 AND user = ?3 AND app = ?4")
        insert = try prepare(
            """
            INSERT INTO pending (pipeline, device, user, app, registration, code, expires)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        )
        find = try prepare(
            """
            SELECT seq, tries, expires, registration, code FROM pending
            WHERE pipeline = ?1 AND device = ?2 AND user = ?3 AND (?4 IS NULL OR app = ?4) AND expires > ?5
            ORDER BY seq DESC LIMIT 1
            """
        )
        triesOf = try prepare("SELECT tries FROM pending WHERE seq = ?1")
        count = try prepare("UPDATE pending SET tries = ?2 WHERE seq = ?1")
        end = try prepare("DELETE FROM pending WHERE seq = ?1")
    }

    /// Returns whether there was room.
    func keep(_ new: NewPendingRegistration) throws(SQLiteError) -> Bool {
        endExpired.bind(new.at, at: 1)
        endExpired.bind(Int64(VerificationRule.lot), at: 2)
        try endExpired.run()
        let registration = new.registration
        for statement in [replace, insert] {
            statement.bind(Int64(new.pipeline.rawValue), at: 1)
            statement.bind(registration.deviceID, at: 2)
            statement.bind(registration.user.id.text, at: 3)
            statement.bind(registration.app, at: 4)
        }
        try replace.run()
        guard try isRoomy() else { return false }
        insert.bind(RegistrationCodec.encode(registration), at: 5)
        insert.bind(new.codeSeal, at: 6)
        insert.bind(new.expires, at: 7)
        try insert.run()
        return true
    }

    private func isRoomy() throws(SQLiteError) -> Bool {
        defer { span.reset() }
        return try !span.step() || VerificationRule.hasRoom(first: span.integer(0), last: span.integer(1))
    }

    func takeTry(_ wish: PendingWish) throws(SQLiteError) -> PendingTry {
        find.bind(Int64(wish.pipeline.rawValue), at: 1)
        find.bind(wish.deviceID, at: 2)
        find.bind(wish.user.text, at: 3)
        find.bind(wish.app, at: 4)
        find.bind(wish.now, at: 5)
        defer { find.reset() }
        guard try find.step() else { return .nothing }
        let sequence = find.integer(0)
        let expires = find.dueTime(2)
        let tries = Int(find.integer(1))
        switch VerificationRule.take(tries: tries, of: wish.mostTries, expires: expires, now: wish.now) {
        case .over: return .nothing
        case .usedUp: return .usedUp(until: expires)
        case .tries(let tries):
            guard let registration = try? RegistrationCodec.decode(find.bytes(3)) else {
                // A damaged row helps nobody: its user begins again.
                find.reset()
                try end(sequence)
                return .nothing
            }
            let pending = PendingRegistration(
                sequence: sequence,
                registration: registration,
                codeSeal: find.optionalBytes(4)
            )
            find.reset()
            try write(tries, of: sequence)
            return .pending(pending)
        }
    }

    func giveBackTry(_ sequence: Int64) throws(SQLiteError) {
        triesOf.bind(sequence, at: 1)
        defer { triesOf.reset() }
        guard try triesOf.step() else { return }
        let tries = Int(triesOf.integer(0))
        triesOf.reset()
        try write(VerificationRule.giveBack(tries: tries), of: sequence)
    }

    private func write(_ tries: Int, of sequence: Int64) throws(SQLiteError) {
        count.bind(sequence, at: 1)
        count.bind(Int64(tries), at: 2)
        try count.run()
    }

    /// Returns whether it still waited.
    @discardableResult
    func end(_ sequence: Int64) throws(SQLiteError) -> Bool {
        end.bind(sequence, at: 1)
        try end.run()
        return connection.changes > 0
    }
}
