// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for registrations that wait for a code.
struct VerificationWrites {
    /// The most that wait; each is a few hundred bytes, for some minutes.
    static let most: Int64 = 200_000
    /// Those whose time is over go in small lots, with the new ones that come.
    private static let lot: Int64 = 100

    private let connection: Connection
    private let endExpired: Statement
    private let span: Statement
    private let replace: Statement
    private let insert: Statement
    private let take: Statement
    private let find: Statement
    private let giveBack: Statement
    private let end: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        endExpired = try prepare(
            "DELETE FROM pending WHERE seq IN (SELECT seq FROM pending WHERE expires <= ?1 ORDER BY expires LIMIT ?2)"
        )
        span = try prepare("SELECT (SELECT max(seq) FROM pending) - (SELECT min(seq) FROM pending)")
        replace = try prepare("DELETE FROM pending WHERE pipeline = ?1 AND device = ?2 AND user = ?3 AND app = ?4")
        insert = try prepare(
            """
            INSERT INTO pending (pipeline, device, user, app, registration, code, expires)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        )
        let wanted = """
            SELECT seq FROM pending
            WHERE pipeline = ?1 AND device = ?2 AND user = ?3 AND (?4 IS NULL OR app = ?4) AND expires > ?5
            ORDER BY seq DESC LIMIT 1
            """
        take = try prepare(
            """
            UPDATE pending SET tries = tries + 1 WHERE seq = (\(wanted)) AND tries < ?6
            RETURNING seq, registration, code
            """
        )
        find = try prepare("SELECT expires FROM pending WHERE seq = (\(wanted))")
        giveBack = try prepare("UPDATE pending SET tries = tries - 1 WHERE seq = ?1 AND tries > 0")
        end = try prepare("DELETE FROM pending WHERE seq = ?1")
    }

    /// Returns whether there was room.
    func keep(_ new: NewPendingRegistration) throws(SQLiteError) -> Bool {
        endExpired.bind(new.at, at: 1)
        endExpired.bind(Self.lot, at: 2)
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
        return try !span.step() || span.integer(0) < Self.most
    }

    func takeTry(_ wish: PendingWish) throws(SQLiteError) -> PendingTry {
        for statement in [take, find] {
            statement.bind(Int64(wish.pipeline.rawValue), at: 1)
            statement.bind(wish.deviceID, at: 2)
            statement.bind(wish.user.text, at: 3)
            statement.bind(wish.app, at: 4)
            statement.bind(wish.now, at: 5)
        }
        take.bind(Int64(wish.mostTries), at: 6)
        guard try take.step() else {
            take.reset()
            defer { find.reset() }
            return try find.step() ? .usedUp(until: find.dueTime(0)) : .nothing
        }
        let sequence = take.integer(0)
        let registration = try? RegistrationCodec.decode(take.bytes(1))
        let codeSeal = take.optionalBytes(2)
        try take.run()
        guard let registration else {
            // A damaged row helps nobody: its user begins again.
            try end(sequence)
            return .nothing
        }
        return .pending(PendingRegistration(sequence: sequence, registration: registration, codeSeal: codeSeal))
    }

    func giveBackTry(_ sequence: Int64) throws(SQLiteError) {
        giveBack.bind(sequence, at: 1)
        try giveBack.run()
    }

    /// Returns whether it still waited.
    @discardableResult
    func end(_ sequence: Int64) throws(SQLiteError) -> Bool {
        end.bind(sequence, at: 1)
        try end.run()
        return connection.changes > 0
    }
}
