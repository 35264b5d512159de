// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLite
import Testing

struct ConnectionTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:")
        try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, v UNIQUE)")
    }

    @Test(
        "Values come back as they were bound",
        arguments: ["", "\0", "a\0b", "é", "🦊", String(repeating: "x", count: 70_000)]
    )
    func texts(text: String) throws {
        let insert = try Statement("INSERT INTO t (v) VALUES (?1), (?2), (?3) RETURNING v", on: connection)
        insert.bind(text, at: 1)
        insert.bind(Array(text.utf8), at: 2)
        insert.bind(nil as String?, at: 3)
        #expect(try insert.step())
        #expect(Array(insert.text(0).utf8) == Array(text.utf8))
        #expect(try insert.step())
        #expect(insert.bytes(0) == Array(text.utf8))
        #expect(try insert.step())
        #expect(insert.isNull(0))
        #expect(insert.optionalText(0) == nil)
        #expect(try insert.step() == false)
        insert.reset()
        #expect(connection.changes == 3)
    }

    @Test("Numbers of all sizes come back", arguments: [Int64.min, -1, 0, 1, .max])
    func numbers(value: Int64) throws {
        let select = try Statement("SELECT ?1, ?2", on: connection)
        select.bind(value, at: 1)
        select.bind(nil as Int64?, at: 2)
        #expect(try select.step())
        #expect(select.integer(0) == value)
        #expect(select.optionalInteger(1) == nil)
    }

    @Test("A broken rule has its code, names no value, and leaves the statement usable")
    func constraint() throws {
        let insert = try Statement("INSERT INTO t (v) VALUES (?1)", on: connection)
        insert.bind("secret", at: 1)
        try insert.run()
        let error = #expect(throws: SQLiteError.self) { try insert.run() }
        #expect(error?.code.primary == .constraint)
        #expect(error?.description == "UNIQUE constraint failed: t.v (SQLite code 2067)")
        insert.bind("other", at: 1)
        try insert.run()
        #expect(try connection.integer("SELECT count(*) FROM t") == 2)
    }

    @Test("A parameter that is not there fails the next step, once")
    func badParameter() throws {
        let insert = try Statement("INSERT INTO t (v) VALUES (?1)", on: connection)
        insert.bind(1, at: 7)
        #expect(throws: SQLiteError.self) { try insert.run() }
        insert.bind(1, at: 1)
        try insert.run()
        #expect(try connection.integer("SELECT v FROM t") == 1)
    }

    @Test("Wrong SQL and a missing directory are errors")
    func refused() {
        #expect(throws: SQLiteError.self) { try Statement("SELEC 1", on: connection) }
        #expect(throws: SQLiteError.self) { try connection.execute("DROP TABLE missing") }
        let error = #expect(throws: SQLiteError.self) { try Connection(path: "/missing/directory/file") }
        #expect(error?.code.primary == .cannotOpen)
    }

    @Test("A log is watched by its commits and moved by a checkpoint")
    func checkpoint() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "sqlite-\(UUID().uuidString)").path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let writer = try Connection(path: path)
        let log = LogObserver()
        try writer.execute("PRAGMA journal_mode = WAL")
        writer.observeLog(log)
        try writer.execute("CREATE TABLE t (k)")
        #expect(log.pages > 0)
        let other = try Connection(path: path, mode: .readWrite)
        #expect(try other.integer("SELECT count(*) FROM t") == 0)
        let progress = try other.checkpoint(.passive)
        #expect(progress.logged == log.pages)
        #expect(progress.moved == log.pages)
        #expect(try other.checkpoint(.restart).logged == log.pages)
        let before = log.pages
        try writer.execute("INSERT INTO t VALUES (1)")
        #expect(log.pages < before)
    }
}
