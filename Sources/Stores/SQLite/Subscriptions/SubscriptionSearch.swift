// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// Says whether a user has any subscription; for readers and the writer alike.
struct SubscriptionSearch {
    private let isThere: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        isThere = try Statement(
            "SELECT 1 FROM subscription WHERE pipeline = ?1 AND user = ?2 LIMIT 1",
            on: connection
        )
    }

    func isSubscribed(_ user: RecipientID, in pipeline: PipelineNumber) throws(SQLiteError) -> Bool {
        isThere.bind(Int64(pipeline.rawValue), at: 1)
        isThere.bind(user.text, at: 2)
        defer { isThere.reset() }
        return try isThere.step()
    }

    /// The places, in rising order, of the deliveries for which there is nothing to do.
    func closed(among deliveries: [NewDelivery], in pipeline: PipelineNumber) throws(SQLiteError) -> [Int] {
        var closed: [Int] = []
        for (place, delivery) in deliveries.enumerated() {
            let isOpen =
                if let known = delivery.isOpen { known } else { try isSubscribed(delivery.recipient, in: pipeline) }
            if !isOpen { closed.append(place) }
        }
        return closed
    }
}
