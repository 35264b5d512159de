// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// How chunks become deliveries.
extension ChunkWrites {
    /// What one step did.
    struct Step {
        let expansion: Expansion
        /// What is to be sent of it.
        var accepted: AcceptedNotification?
        /// Whether there is something to be sent that can be handed over only by reading it again: it is damaged.
        var isDamaged = false
        /// When the time of what was made passes; `nil` where nothing was.
        var expires: WallTime?
    }

    /// Deliveries that are made and ended in one transaction: each takes several times as long.
    private static let endedAtOnce = 250

    /// Makes the next deliveries of a queue, at most so many, or ends what has to end.
    func expand(
        _ queue: Queue,
        room: Int,
        now: WallTime,
        _ settlements: SettlementWrites
    ) throws(SQLiteError) -> Step {
        guard let waiting = try next(queue, hasRoom: room > 0, now: now) else {
            return Step(expansion: Expansion(made: 0, isMore: try isAnyLeft(queue)))
        }
        let limit = waiting.fate == nil ? (room > 0 ? room : PackedChunk.largest) : Self.endedAtOnce
        guard let chunk = try chunk(of: waiting) else {
            // The file is damaged: nobody can say whom these were for.
            try skip(of: waiting)
            return Step(expansion: Expansion(made: 0, isMore: try isAnyLeft(queue)))
        }
        let begin = Int(waiting.reached - chunk.first)
        let part = chunk.recipients[begin..<min(chunk.recipients.count, begin + limit)]
        var made = try insert(part, from: waiting.reached, of: waiting, in: queue)
        if let fate = waiting.fate { try end(&made, with: fate, part.count, settlements) }
        try pass(part.count, of: chunk, of: waiting, opened: made.opened)
        var step = Step(expansion: Expansion(made: part.count, isMore: try isAnyLeft(queue)), expires: waiting.expires)
        guard made.closed.count < part.count else { return step }
        step.accepted = accepted(Array(part), from: waiting.reached, of: waiting, in: queue, closed: made.closed)
        step.isDamaged = step.accepted == nil
        return step
    }

    /// Makes those deliveries now that would come after ones that are being accepted for the same recipients.
    func makeAhead(of acceptance: Acceptance, closed: [Int]) throws(SQLiteError) -> [AcceptedNotification] {
        var ahead: [AcceptedNotification] = []
        for waiting in try before(acceptance) {
            var closed = closed[...]
            for (place, delivery) in acceptance.deliveries.enumerated() {
                if closed.first == place {
                    closed.removeFirst()
                } else if let made = try makeAhead(delivery.recipient, of: waiting, in: acceptance.queue) {
                    ahead.append(made)
                }
            }
        }
        return ahead
    }

    private func makeAhead(
        _ recipient: RecipientID,
        of waiting: WaitingNotification,
        in queue: Queue
    ) throws(SQLiteError) -> AcceptedNotification? {
        guard let (number, delivery) = try search(recipient, of: waiting), delivery.isOpen == true else { return nil }
        guard try insert([delivery], from: number, of: waiting, in: queue).opened == 1 else { return nil }
        makeOneLess.bind(waiting.sequence, at: 1)
        try makeOneLess.run()
        return accepted([delivery], from: number, of: waiting, in: queue, closed: [])
    }

    private func search(
        _ recipient: RecipientID,
        of waiting: WaitingNotification
    ) throws(SQLiteError) -> (number: Int64, delivery: NewDelivery)? {
        // The chunk that is begun stands before the number reached.
        chunkHolding.bind(max(waiting.deliveries.lowerBound, waiting.reached - Int64(PackedChunk.largest)), at: 1)
        chunkHolding.bind(waiting.deliveries.upperBound, at: 2)
        chunkHolding.bind(recipient.text, at: 3)
        defer { chunkHolding.reset() }
        guard try chunkHolding.step() else { return nil }
        let bytes = chunkHolding.bytes(1)
        guard let place = try? PackedChunk.place(of: recipient, in: bytes) else { return nil }
        let number = chunkHolding.integer(0) + Int64(place)
        guard number >= waiting.reached, let deliveries = try? PackedChunk.unpack(bytes) else { return nil }
        return (number, deliveries[place])
    }

    // MARK: Parts

    private struct Chunk {
        let first: Int64
        let recipients: [NewDelivery]
    }

    private struct Made {
        /// The places of those for whom there is nothing to do, in rising order.
        var closed: [Int] = []
        /// How many rows are open.
        var opened = 0
        /// Their numbers.
        var open: [Int64] = []
    }

    /// The chunk with the number reached; `nil` where there is none that can be read.
    private func chunk(of waiting: WaitingNotification) throws(SQLiteError) -> Chunk? {
        chunkAt.bind(waiting.reached, at: 1)
        defer { chunkAt.reset() }
        guard waiting.reached < waiting.deliveries.upperBound, try chunkAt.step() else { return nil }
        let first = chunkAt.integer(0)
        guard first >= waiting.deliveries.lowerBound, let recipients = try? PackedChunk.unpack(chunkAt.bytes(1)),
            waiting.reached - first < Int64(recipients.count),
            first + Int64(recipients.count) <= waiting.deliveries.upperBound
        else { return nil }
        return Chunk(first: first, recipients: recipients)
    }

    private func insert(
        _ deliveries: ArraySlice<NewDelivery>,
        from first: Int64,
        of waiting: WaitingNotification,
        in queue: Queue
    ) throws(SQLiteError) -> Made {
        insertDelivery.bind(waiting.sequence, at: 2)
        insertDelivery.bind(queue.key, at: 5)
        insertDelivery.bind(waiting.priority, at: 6)
        insertDelivery.bind(waiting.due, at: 7)
        insertDelivery.bind(waiting.fallback, at: 10)
        var made = Made()
        for (place, delivery) in deliveries.enumerated() {
            let number = first + Int64(place)
            let isOpen = delivery.isOpen == true
            insertDelivery.bind(number, at: 1)
            insertDelivery.bind(delivery.recipient.text, at: 3)
            insertDelivery.bind(delivery.storedSpellings, at: 4)
            insertDelivery.bind(isOpen ? 1 : 0, at: 8)
            insertDelivery.bind(isOpen ? 0 : StatusCode.of(.invalidSubscription), at: 9)
            try insertDelivery.run()
            if isOpen, connection.changes == 1 { made.open.append(number) } else { made.closed.append(place) }
        }
        made.opened = made.open.count
        return made
    }

    /// Ends what was just made.
    private func end(
        _ made: inout Made,
        with fate: (status: DeliveryStatus, at: WallTime, reason: String),
        _ count: Int,
        _ settlements: SettlementWrites
    ) throws(SQLiteError) {
        for number in made.open {
            let outcome = DeviceOutcome(subscription: nil, channel: nil, problem: fate.reason)
            try settlements.settle(
                Settlement(delivery: number, status: fate.status, at: fate.at, attempts: 0, outcomes: [outcome])
            )
        }
        made.closed = Array(0..<count)
    }

    /// Moves on behind what was made.
    private func pass(
        _ count: Int,
        of chunk: Chunk,
        of waiting: WaitingNotification,
        opened: Int
    ) throws(SQLiteError) {
        let reached = waiting.reached + Int64(count)
        if reached == chunk.first + Int64(chunk.recipients.count) {
            removeChunk.bind(chunk.first, at: 1)
            try removeChunk.run()
        }
        guard reached < waiting.deliveries.upperBound else { return try remove(waiting) }
        advance.bind(waiting.sequence, at: 1)
        advance.bind(reached, at: 2)
        advance.bind(Int64(opened), at: 3)
        try advance.run()
    }

    /// Goes on with the next chunk.
    private func skip(of waiting: WaitingNotification) throws(SQLiteError) {
        following.bind(waiting.reached, at: 1)
        following.bind(waiting.deliveries.upperBound, at: 2)
        let next = try following.step() ? following.optionalInteger(0) : nil
        following.reset()
        removeDamaged.bind(waiting.deliveries.lowerBound, at: 1)
        removeDamaged.bind(next ?? waiting.deliveries.upperBound, at: 2)
        try removeDamaged.run()
        guard let next else { return try remove(waiting) }
        advance.bind(waiting.sequence, at: 1)
        advance.bind(next, at: 2)
        advance.bind(0, at: 3)
        try advance.run()
    }

    private func remove(_ waiting: WaitingNotification) throws(SQLiteError) {
        removeExpansion.bind(waiting.sequence, at: 1)
        try removeExpansion.run()
    }

    /// What those who watch are to hear; `nil` where what it says cannot be read.
    private func accepted(
        _ deliveries: [NewDelivery],
        from first: Int64,
        of waiting: WaitingNotification,
        in queue: Queue,
        closed: [Int]
    ) -> AcceptedNotification? {
        guard let notification = waiting.notification else { return nil }
        let acceptance = Acceptance(
            pipeline: queue.pipeline,
            notification: notification,
            at: waiting.accepted,
            due: waiting.due,
            deliveries: deliveries,
            isInOrder: true,
            fallback: waiting.fallback
        )
        return AcceptedNotification(
            acceptance: acceptance,
            sequence: waiting.sequence,
            firstDelivery: first,
            closed: closed,
            wasWaiting: true
        )
    }
}
