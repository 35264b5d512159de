// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The readers' statements for dead letters.
struct DeadLetterReads {
    private let list: Statement
    private let find: Statement
    private let recipient: Statement

    /// How many users a list names of each.
    private static let usersListed = 10

    init(_ connection: Connection) throws(SQLiteError) {
        func query(_ condition: String) -> String {
            """
            SELECT d.seq, p.name, coalesce(l.name, d.channel), d.kind, n.id, d.deliveries, d.delivery_count, d.at, d.died, d.attempts, d.reason
            FROM dead_letter d JOIN notification n ON n.seq = d.notification JOIN pipeline p ON p.number = n.pipeline
                LEFT JOIN link l ON l.number = d.link
            WHERE \(condition)
            """
        }
        list = try Statement(query("d.seq < ?1 ORDER BY d.seq DESC LIMIT ?2"), on: connection)
        find = try Statement(query("d.seq = ?1"), on: connection)
        recipient = try Statement("SELECT recipient, spellings FROM delivery WHERE seq = ?1", on: connection)
    }

    func list(before: Int64?, limit: Int) throws -> [DeadLetter] {
        list.bind(before ?? .max, at: 1)
        list.bind(Int64(limit), at: 2)
        defer { list.reset() }
        var letters: [DeadLetter] = []
        while try list.step() { letters.append(try letter(list, users: Self.usersListed)) }
        return letters
    }

    func letter(_ number: Int64) throws -> DeadLetter? {
        find.bind(number, at: 1)
        defer { find.reset() }
        return try find.step() ? try letter(find, users: .max) : nil
    }

    private func letter(_ row: Statement, users limit: Int) throws -> DeadLetter {
        DeadLetter(
            number: row.integer(0),
            pipeline: row.text(1),
            link: row.text(2),
            kind: KindCode.kind(row.integer(3)),
            notification: row.notificationID(4),
            users: try NumberListCodec.decode(row.bytes(5)).prefix(limit).compactMap { try user($0) },
            userCount: Int(row.integer(6)),
            at: row.wallTime(7),
            died: row.wallTime(8),
            attempts: Int(row.integer(9)),
            reason: row.text(10)
        )
    }

    private func user(_ delivery: Int64) throws -> RecipientID? {
        recipient.bind(delivery, at: 1)
        defer { recipient.reset() }
        guard try recipient.step() else { return nil }
        let spellings = try recipient.optionalBytes(1).map { try RecipientListCodec.decode($0) }
        return spellings?.first ?? RecipientID(recipient.text(0))
    }
}
