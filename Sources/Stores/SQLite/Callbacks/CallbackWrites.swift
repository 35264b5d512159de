// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for what banks are to hear, used by whatever causes it.
///
/// An object: several of the writer's parts use the same one.
final class CallbackWrites {
    private struct Link {
        let number: Int64
        let events: Int64
        let wantsUnconfirmed: Bool
    }

    private let connection: Connection
    let schedule: ScheduleClock
    private let listLinks: Statement
    private let declareLink: Statement
    private let silenceLinks: Statement
    private let openLine: Statement
    private let insert: Statement
    private let insertUnconfirmed: Statement
    private let endEmpty: Statement

    /// The links by pipeline; `nil` until they are read, and again after a transaction failed.
    private var links: [Int64: [Link]]?
    /// Pipelines whose links have something new to hear since the last commit.
    private(set) var woken: Set<PipelineNumber> = []

    static let endEmptyLine = """
        DELETE FROM callback_line
        WHERE seq = ?1 AND NOT EXISTS (SELECT 1 FROM callback WHERE line = callback_line.seq)
        """

    init(_ connection: Connection, schedule: ScheduleClock) throws(SQLiteError) {
        self.connection = connection
        self.schedule = schedule
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        listLinks = try prepare("SELECT number, pipeline, events, unconfirmed FROM link ORDER BY number")
        declareLink = try prepare(
            """
            INSERT INTO link (pipeline, name, events, unconfirmed) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (pipeline, name) DO UPDATE SET events = ?3, unconfirmed = ?4 RETURNING number
            """
        )
        silenceLinks = try prepare("UPDATE link SET events = 0, unconfirmed = 0 WHERE pipeline = ?1")
        // The update changes nothing; without it the line's number would not be returned.
        openLine = try prepare(
            """
            INSERT INTO callback_line (link, notification, due, attempts) VALUES (?1, ?2, ?3, 0)
            ON CONFLICT (link, notification) DO UPDATE SET attempts = attempts RETURNING seq
            """
        )
        insert = try prepare("INSERT INTO callback (line, delivery, kind, at, since) VALUES (?1, ?2, ?3, ?4, ?5)")
        // `DeliveryState.isUnconfirmed`, for thousands of deliveries.
        insertUnconfirmed = try prepare(
            """
            INSERT INTO callback (line, delivery, kind, at, since)
            SELECT ?1, seq, \(KindCode.of(.expired)), ?4, ?5 FROM delivery
            WHERE seq >= ?2 AND seq < ?3 AND status = \(StatusCode.of(.sent)) ORDER BY seq
            """
        )
        endEmpty = try prepare(Self.endEmptyLine)
    }

    /// Takes back what is remembered of a transaction that failed.
    func rewind() {
        links = nil
        woken = []
    }

    /// Which pipelines have something new to hear, once.
    func takeWoken() -> Set<PipelineNumber> {
        defer { woken = [] }
        return woken
    }

    // MARK: Links

    func declare(_ declared: [LinkDeclaration], in pipeline: PipelineNumber) throws(SQLiteError) -> [LinkNumber] {
        links = nil
        silenceLinks.bind(Int64(pipeline.rawValue), at: 1)
        try silenceLinks.run()
        var numbers: [LinkNumber] = []
        for link in declared {
            declareLink.bind(Int64(pipeline.rawValue), at: 1)
            declareLink.bind(link.label, at: 2)
            declareLink.bind(KindCode.mask(link.events), at: 3)
            declareLink.bind(link.reportsUnconfirmed ? 1 : 0, at: 4)
            numbers.append(LinkNumber(rawValue: try number(declareLink)))
        }
        return numbers
    }

    private func known() throws(SQLiteError) -> [Int64: [Link]] {
        if let links { return links }
        defer { listLinks.reset() }
        var found: [Int64: [Link]] = [:]
        while try listLinks.step() {
            let link = Link(
                number: listLinks.integer(0),
                events: listLinks.integer(2),
                wantsUnconfirmed: listLinks.integer(3) == 1
            )
            found[listLinks.integer(1), default: []].append(link)
        }
        links = found
        return found
    }

    func wantsUnconfirmed(_ pipeline: PipelineNumber) throws(SQLiteError) -> Bool {
        try known()[Int64(pipeline.rawValue)]?.contains(where: \.wantsUnconfirmed) ?? false
    }

    // MARK: Callbacks

    /// Keeps that something happened, for every link of the pipeline that wants to hear of it.
    func tell(
        _ kind: BankEvent.Kind,
        delivery: Int64,
        notification: Int64,
        pipeline: Int64,
        at: WallTime
    ) throws(SQLiteError) {
        guard let links = try known()[pipeline] else { return }
        let since = CallbackRule.since(at, now: schedule.read())
        for link in links where link.events & 1 << KindCode.of(kind) != 0 {
            let due = CallbackRule.due(kind, since: since)
            let line = try line(link: link.number, notification: notification, due: due)
            try add(kind, delivery: delivery, to: line, at: at, since: since)
            wake(pipeline)
        }
    }

    /// Keeps who of a notification's recipients had no receipt, for the links that want to know.
    func tellUnconfirmed(
        _ deliveries: Range<Int64>,
        notification: Int64,
        pipeline: Int64,
        at: WallTime
    ) throws(SQLiteError) {
        let since = CallbackRule.since(at, now: schedule.read())
        for link in try known()[pipeline] ?? [] where link.wantsUnconfirmed {
            let line = try line(link: link.number, notification: notification, due: since)
            insertUnconfirmed.bind(line, at: 1)
            insertUnconfirmed.bind(deliveries.lowerBound, at: 2)
            insertUnconfirmed.bind(deliveries.upperBound, at: 3)
            insertUnconfirmed.bind(at, at: 4)
            insertUnconfirmed.bind(since, at: 5)
            try insertUnconfirmed.run()
            endEmpty.bind(line, at: 1)
            try endEmpty.run()
            wake(pipeline)
        }
    }

    /// The line of a notification to a link, opened where there was none.
    func line(link: Int64, notification: Int64, due: DueTime) throws(SQLiteError) -> Int64 {
        openLine.bind(link, at: 1)
        openLine.bind(notification, at: 2)
        openLine.bind(due, at: 3)
        return try number(openLine)
    }

    func add(
        _ kind: BankEvent.Kind,
        delivery: Int64,
        to line: Int64,
        at: WallTime,
        since: DueTime
    ) throws(SQLiteError) {
        insert.bind(line, at: 1)
        insert.bind(delivery, at: 2)
        insert.bind(KindCode.of(kind), at: 3)
        insert.bind(at, at: 4)
        insert.bind(since, at: 5)
        try insert.run()
    }

    func wake(_ pipeline: Int64) { woken.insert(PipelineNumber(rawValue: Int32(truncatingIfNeeded: pipeline))) }

    /// The number that a statement returns in its one row.
    private func number(_ statement: Statement) throws(SQLiteError) -> Int64 {
        defer { statement.reset() }
        guard try statement.step() else { throw SQLiteError(code: .corrupt, message: "a row is missing") }
        let number = statement.integer(0)
        // The insert is done when the statement is, not when it returns its row.
        while try statement.step() {}
        return number
    }
}
