// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for the pipelines themselves.
struct PipelineWrites {
    private let find: Statement
    private let insert: Statement
    private let sweep: Statement
    private let list: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        find = try Statement("SELECT number FROM pipeline WHERE name = ?1", on: connection)
        insert = try Statement("INSERT INTO pipeline (name) VALUES (?1) ON CONFLICT DO NOTHING", on: connection)
        sweep = try Statement("UPDATE pipeline SET swept_until = ?2 WHERE number = ?1", on: connection)
        list = try Statement("SELECT number, swept_until FROM pipeline", on: connection)
    }

    func number(of name: String) throws(SQLiteError) -> PipelineNumber {
        insert.bind(name, at: 1)
        try insert.run()
        find.bind(name, at: 1)
        defer { find.reset() }
        guard try find.step() else { throw SQLiteError(code: .corrupt, message: "a pipeline's row is missing") }
        return PipelineNumber(rawValue: Int32(truncatingIfNeeded: find.integer(0)))
    }

    func remember(_ pipeline: PipelineNumber, sweptUntil: WallTime) throws(SQLiteError) {
        sweep.bind(Int64(pipeline.rawValue), at: 1)
        sweep.bind(sweptUntil, at: 2)
        try sweep.run()
    }

    func sweptUntil() throws(SQLiteError) -> [PipelineNumber: WallTime] {
        defer { list.reset() }
        var found: [PipelineNumber: WallTime] = [:]
        while try list.step() {
            found[PipelineNumber(rawValue: Int32(truncatingIfNeeded: list.integer(0)))] = list.wallTime(1)
        }
        return found
    }
}
