// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for what operators stopped.
struct PauseWrites {
    private let insert: Statement
    private let delete: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        insert = try Statement(
            "INSERT INTO pause (pipeline, item, at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            on: connection
        )
        delete = try Statement("DELETE FROM pause WHERE pipeline = ?1 AND item = ?2", on: connection)
    }

    func set(_ isPaused: Bool, of item: String, in pipeline: PipelineNumber, at now: WallTime) throws(SQLiteError) {
        let statement = isPaused ? insert : delete
        statement.bind(Int64(pipeline.rawValue), at: 1)
        statement.bind(item, at: 2)
        if isPaused { statement.bind(now.milliseconds, at: 3) }
        try statement.run()
    }
}

/// The readers' statement for the same.
struct PauseReads {
    private let list: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        list = try Statement("SELECT item, at FROM pause WHERE pipeline = ?1", on: connection)
    }

    func pauses(in pipeline: PipelineNumber) throws(SQLiteError) -> [String: WallTime] {
        list.bind(Int64(pipeline.rawValue), at: 1)
        defer { list.reset() }
        var found: [String: WallTime] = [:]
        while try list.step() { found[list.text(0)] = WallTime(milliseconds: list.integer(1)) }
        return found
    }
}
