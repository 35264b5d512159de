// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The readers' statements for what banks are to hear.
struct CallbackReads {
    private let lines: Statement
    private let later: Statement
    private let head: Statement
    private let count: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        lines = try prepare(
            """
            SELECT l.seq, l.attempts, n.id FROM callback_line l JOIN notification n ON n.seq = l.notification
            WHERE l.link = ?1 AND l.due <= ?2 ORDER BY l.due, l.seq LIMIT ?3
            """
        )
        later = try prepare("SELECT due FROM callback_line WHERE link = ?1 AND due > ?2 ORDER BY due LIMIT 1")
        count = try prepare(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM callback_line l JOIN callback c ON c.line = l.seq WHERE l.link = ?1
                LIMIT \(QueuedCallback.mostCounted)
            )
            """
        )
        head = try prepare(
            """
            SELECT c.seq, c.kind, c.at, c.since, d.recipient, d.spellings
            FROM callback c JOIN delivery d ON d.seq = c.delivery WHERE c.line = ?1 ORDER BY c.seq LIMIT ?2
            """
        )
    }

    func due(_ link: LinkNumber, now: DueTime, limit: Int) throws(SQLiteError) -> CallbackPage {
        var calls: [QueuedCallback] = []
        var count = 0
        lines.bind(link.rawValue, at: 1)
        lines.bind(now, at: 2)
        lines.bind(Int64(limit), at: 3)
        defer { lines.reset() }
        while try lines.step() {
            count += 1
            if let call = try call(of: lines) { calls.append(call) }
        }
        return CallbackPage(calls: calls, hasMore: count == limit, nextDue: try nextDue(link, after: now))
    }

    /// How many callbacks a link is still to hear, as far as they are counted.
    func waiting(_ link: LinkNumber) throws(SQLiteError) -> Int {
        count.bind(link.rawValue, at: 1)
        defer { count.reset() }
        return try count.step() ? Int(count.integer(0)) : 0
    }

    private func nextDue(_ link: LinkNumber, after now: DueTime) throws(SQLiteError) -> DueTime? {
        later.bind(link.rawValue, at: 1)
        later.bind(now, at: 2)
        defer { later.reset() }
        return try later.step() ? later.dueTime(0) : nil
    }

    /// The first callbacks of a line, as far as one call tells them.
    private func call(of line: Statement) throws(SQLiteError) -> QueuedCallback? {
        let sequence = line.integer(0)
        head.bind(sequence, at: 1)
        head.bind(Int64(QueuedCallback.mostUsers), at: 2)
        defer { head.reset() }
        guard try head.step() else { return nil }
        let kind = KindCode.kind(head.integer(1))
        let at = head.wallTime(2)
        var since = head.dueTime(3)
        var callbacks = [head.integer(0)]
        var users = [spelling(head)]
        while kind.isGathered, try head.step() {
            guard CallbackRule.joins(KindCode.kind(head.integer(1)), kind) else { break }
            callbacks.append(head.integer(0))
            since = max(since, head.dueTime(3))
            users.append(spelling(head))
        }
        return QueuedCallback(
            line: sequence,
            callbacks: callbacks,
            kind: kind,
            notification: line.notificationID(2),
            users: users,
            at: at,
            since: since,
            attempts: Int(line.integer(1))
        )
    }

    /// The bank's own spelling; the first one where it used several.
    private func spelling(_ row: Statement) -> RecipientID {
        let spellings = row.optionalBytes(5).flatMap { try? RecipientListCodec.decode($0) }
        return spellings?.first ?? RecipientID(row.text(4))
    }
}
