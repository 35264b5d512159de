// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for new notifications.
struct NotificationWrites {
    private let insertNotification: Statement
    private let insertDelivery: Statement
    private let insertOrder: Statement
    private let connection: Connection
    private let callbacks: CallbackWrites
    private(set) var nextNotification: Int64
    private(set) var nextDelivery: Int64

    init(_ connection: Connection, callbacks: CallbackWrites) throws(SQLiteError) {
        self.connection = connection
        self.callbacks = callbacks
        insertNotification = try Statement(
            """
            INSERT INTO notification
                (seq, pipeline, id, content, accepted, expires, first_delivery, delivery_count, aftermath, is_sorted)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (pipeline, id) DO NOTHING
            """,
            on: connection
        )
        insertDelivery = try Statement(
            """
            INSERT INTO delivery
                (seq, notification, recipient, spellings, queue, priority, due, open, status, attempts, fallback)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, ?10)
            """,
            on: connection
        )
        insertOrder = try Statement(
            "INSERT INTO bank_order (notification, places) VALUES (?1, ?2)",
            on: connection
        )
        nextNotification = 1 + (try connection.integer("SELECT max(seq) FROM notification") ?? 0)
        // The last one's deliveries have their numbers, even where they are not made yet.
        let reserved = "SELECT first_delivery + delivery_count FROM notification ORDER BY seq DESC LIMIT 1"
        nextDelivery = max(
            1 + (try connection.integer("SELECT max(seq) FROM delivery") ?? 0),
            try connection.integer(reserved) ?? 1
        )
    }

    /// Takes numbers back after a transaction failed.
    mutating func rewind(notification: Int64, delivery: Int64) {
        nextNotification = notification
        nextDelivery = delivery
    }

    /// `closed` are the places of the deliveries for which there is nothing to do, in rising order.
    mutating func accept(
        _ acceptance: Acceptance,
        content: [UInt8],
        closed: [Int]
    ) throws(SQLiteError) -> AcceptanceResult {
        let first = nextDelivery
        guard let number = try insertNotification(acceptance, content: content) else { return .duplicate }
        try insertDeliveries(of: acceptance, closed: closed, notification: number)
        if let order = acceptance.order { try insert(BankOrder.encode(order), notification: number) }
        return .accepted(notification: number, firstDelivery: first, closed: closed)
    }

    /// Keeps a notification whose recipients wait in chunks; their deliveries have their numbers.
    mutating func accept(
        _ acceptance: Acceptance,
        content: [UInt8],
        _ packed: PackedAcceptance,
        _ chunks: ChunkWrites
    ) throws(SQLiteError) -> AcceptanceResult {
        let first = nextDelivery
        guard let number = try insertNotification(acceptance, content: content) else { return .duplicate }
        nextDelivery += Int64(acceptance.deliveries.count)
        try chunks.insert(acceptance, packed, notification: number, first: first)
        if let order = packed.order { try insert(order, notification: number) }
        return .accepted(notification: number, firstDelivery: first, closed: packed.closed)
    }

    /// Returns its number; `nil` where the pipeline knows the id.
    private mutating func insertNotification(
        _ acceptance: Acceptance,
        content: [UInt8]
    ) throws(SQLiteError) -> Int64? {
        let number = nextNotification
        insertNotification.bind(number, at: 1)
        insertNotification.bind(Int64(acceptance.pipeline.rawValue), at: 2)
        insertNotification.bind(id: acceptance.notification.id, at: 3)
        insertNotification.bind(content, at: 4)
        insertNotification.bind(acceptance.at, at: 5)
        insertNotification.bind(acceptance.expires, at: 6)
        insertNotification.bind(nextDelivery, at: 7)
        insertNotification.bind(Int64(acceptance.deliveries.count), at: 8)
        insertNotification.bind(try aftermath(of: acceptance).rawValue, at: 9)
        insertNotification.bind(acceptance.isSorted ? 1 : 0, at: 10)
        try insertNotification.run()
        guard connection.changes == 1 else { return nil }
        nextNotification += 1
        return number
    }

    private func aftermath(of acceptance: Acceptance) throws(SQLiteError) -> Aftermath {
        var aftermath: Aftermath = acceptance.notification.content.type == .pinCode ? .secret : []
        if try callbacks.wantsUnconfirmed(acceptance.pipeline) { aftermath.insert(.unconfirmed) }
        return aftermath
    }

    private func insert(_ order: [UInt8], notification: Int64) throws(SQLiteError) {
        insertOrder.bind(notification, at: 1)
        insertOrder.bind(order, at: 2)
        try insertOrder.run()
    }

    private mutating func insertDeliveries(
        of acceptance: Acceptance,
        closed: [Int],
        notification: Int64
    ) throws(SQLiteError) {
        insertDelivery.bind(notification, at: 2)
        insertDelivery.bind(acceptance.queue.key, at: 5)
        insertDelivery.bind(Priorities.stored(acceptance.notification.priority), at: 6)
        insertDelivery.bind(acceptance.due, at: 7)
        insertDelivery.bind(acceptance.fallback, at: 10)
        var closed = closed[...]
        for (place, delivery) in acceptance.deliveries.enumerated() {
            let isOpen = closed.first != place
            if !isOpen { closed.removeFirst() }
            insertDelivery.bind(nextDelivery, at: 1)
            insertDelivery.bind(delivery.recipient.text, at: 3)
            insertDelivery.bind(delivery.storedSpellings, at: 4)
            insertDelivery.bind(isOpen ? 1 : 0, at: 8)
            insertDelivery.bind(isOpen ? 0 : StatusCode.of(.invalidSubscription), at: 9)
            try insertDelivery.run()
            nextDelivery += 1
        }
    }
}

extension Acceptance {
    var queue: Queue { Queue(pipeline: pipeline, lane: notification.isUrgent ? .urgent : .bulk) }

    /// When the timeout passes.
    var expires: WallTime { at.adding(seconds: Int64(notification.timeout)) }
}

extension NewDelivery {
    /// `nil` where the bank's one spelling is the recipient itself, which is nearly always.
    var storedSpellings: [UInt8]? {
        spellings.count == 1 && spellings[0] == recipient ? nil : RecipientListCodec.encode(spellings)
    }
}
