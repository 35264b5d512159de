// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statement for the steps of timelines that are no columns of their delivery.
struct EventWrites {
    private let insert: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        insert = try Statement(
            """
            INSERT INTO event (delivery, at, text, status, channel, device)
            VALUES (?1, ?2, ?3, ?4, ?5, coalesce(
                (SELECT device FROM subscription WHERE seq = ?6),
                (SELECT device FROM removed_subscription WHERE seq = ?6)
            ))
            """,
            on: connection
        )
    }

    private func add(
        _ code: Int64 = EventCode.problem,
        text: String = "",
        channel: String? = nil,
        device subscription: Int64? = nil,
        to delivery: Int64,
        at: WallTime
    ) throws(SQLiteError) {
        insert.bind(delivery, at: 1)
        insert.bind(at, at: 2)
        insert.bind(text, at: 3)
        insert.bind(code, at: 4)
        insert.bind(channel, at: 5)
        insert.bind(subscription, at: 6)
        try insert.run()
    }

    func add(_ entry: TimelineEntry, to delivery: Int64) throws(SQLiteError) {
        switch entry.step {
        case .outcome(let outcome): try add(outcome, to: delivery, at: entry.at)
        case .note(let note): try add(note, to: delivery, at: entry.at)
        case .status(let status, let channel):
            try add(StatusCode.of(status), channel: channel, to: delivery, at: entry.at)
        }
    }

    private func add(_ outcome: DeviceOutcome, to delivery: Int64, at: WallTime) throws(SQLiteError) {
        try add(
            outcome.problem == nil ? StatusCode.of(.sent) : EventCode.problem,
            text: outcome.problem ?? "",
            channel: outcome.channel,
            device: outcome.subscription,
            to: delivery,
            at: at
        )
    }

    private func add(_ note: TimelineNote, to delivery: Int64, at: WallTime) throws(SQLiteError) {
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
