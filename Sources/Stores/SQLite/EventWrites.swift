// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statement for the steps of timelines that are no columns of their delivery.
struct EventWrites {
    private let insert: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        insert = try Statement(
            "INSERT INTO event (delivery, at, text, status, channel) VALUES (?1, ?2, ?3, ?4, ?5)",
            on: connection
        )
    }

    func add(
        _ code: Int64 = EventCode.problem,
        text: String = "",
        channel: String? = nil,
        to delivery: Int64,
        at: WallTime
    ) throws(SQLiteError) {
        insert.bind(delivery, at: 1)
        insert.bind(at, at: 2)
        insert.bind(text, at: 3)
        insert.bind(code, at: 4)
        insert.bind(channel, at: 5)
        try insert.run()
    }

    func add(_ note: TimelineNote, to delivery: Int64, at: WallTime) throws(SQLiteError) {
        switch note {
        case .fallback(let channel, let reason):
            try add(EventCode.fallback, text: reason, channel: channel, to: delivery, at: at)
        case .sent(let channel): try add(StatusCode.of(.sent), channel: channel, to: delivery, at: at)
        case .unknown(let channel, let reason):
            try add(EventCode.unknown, text: reason, channel: channel, to: delivery, at: at)
        case .refused(let channel, let reason): try add(text: reason, channel: channel, to: delivery, at: at)
        }
    }
}
