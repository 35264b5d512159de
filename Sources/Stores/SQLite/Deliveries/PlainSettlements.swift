// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The way of nearly all deliveries, in one statement and without a look: the first attempt was taken.
///
/// What it writes is what ``DeliveryRule`` says; where the row is any other it writes nothing, and the rule is asked.
/// A delivery of which no attempt was written has no settled devices, and one that is QUEUED no moments and no device, so
/// none of these has to be looked at.
///
/// An object: it remembers what is bound.
final class PlainSettlements {
    private let connection: Connection
    private let close: Statement
    private var boundChannel: String?

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        close = try Statement(
            """
            UPDATE delivery SET open = 0, status = \(StatusCode.of(.sent)), attempts = ?2, sent = ?3, closed = NULL,
                channel = ?4, phone = NULL, device = ?5
            WHERE seq = ?1 AND open AND status = \(StatusCode.of(.queued)) AND attempts = 0
            """,
            on: connection
        )
    }

    /// Writes a settlement where it and the row are plain; `false` where not.
    func write(_ settlement: Settlement) throws(SQLiteError) -> Bool {
        guard let channel = settlement.channel, settlement.isPlain else { return false }
        if channel != boundChannel {
            close.bind(channel, at: 4)
            boundChannel = channel
        }
        close.bind(settlement.delivery, at: 1)
        close.bind(Int64(settlement.attempts), at: 2)
        close.bind(settlement.at, at: 3)
        close.bind(settlement.device, at: 5)
        try close.run()
        return connection.changes == 1
    }
}

extension Settlement {
    /// Whether it ends a delivery that a provider took, and says nothing beside that.
    fileprivate var isPlain: Bool {
        status == .sent && nextAttempt == nil && sms == nil && phone == nil && outcomes.isEmpty && notes.isEmpty
    }
}
