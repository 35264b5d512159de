// SPDX-License-Identifier: Apache-2.0

import Bus

/// The windows: what of the ledger's queues is in memory.
extension Dispatch {
    /// Takes what was just accepted into its lane's window; what has no room there, or would overtake what had none,
    /// stays in the ledger.
    mutating func admit(
        _ notification: OutgoingNotification,
        _ deliveries: [(sequence: Int64, recipient: RecipientID)],
        _ fallback: DueTime?,
        at now: ClockReading
    ) {
        let fallback = fallback.map(now.monotonic)
        let lane: Queue.Lane = notification.notification.isUrgent ? .urgent : .bulk
        metrics.queued(lane, deliveries.count)
        for delivery in deliveries {
            let state = lanes[lane.rawValue]
            let entry = Entry(notification, delivery.recipient, lane: lane, fallback: fallback)
            if !state.isBehind, state.count < settings.window(lane) {
                insert(delivery.sequence, entry)
            } else if state.isBehind, state.isLoading, state.late.count < Self.resolvedAtOnce {
                lanes[lane.rawValue].late.append((delivery.sequence, entry))
            } else {
                return fallBehind(lane)
            }
        }
    }

    /// Leaves what is accepted to the ledger until all that is older was read.
    private mutating func fallBehind(_ lane: Queue.Lane) {
        lanes[lane.rawValue].isSpilled = true
        lanes[lane.rawValue].isBehind = true
        lanes[lane.rawValue].late = []
    }

    /// Goes on with what is accepted: a page ended with the last of what is older.
    private mutating func catchUp(_ lane: Queue.Lane) {
        guard !lanes[lane.rawValue].isSpilled else { return }
        lanes[lane.rawValue].isBehind = false
        let late = lanes[lane.rawValue].late
        lanes[lane.rawValue].late = []
        for (delivery, entry) in late { insert(delivery, entry) }
    }

    /// Takes a page that the ledger read into its lane's window.
    mutating func load(_ lane: Queue.Lane, _ result: Result<DuePage, LedgerError>, at now: ClockReading) {
        lanes[lane.rawValue].isLoading = false
        let left = lanes[lane.rawValue].left
        lanes[lane.rawValue].left = []
        switch result {
        case .failure(let error):
            actions.append(.note(.error, "cannot read what is due", channel: "", reason: "\(error)"))
            lanes[lane.rawValue].noteDue(now.monotonic.adding(milliseconds: settings.sweepInterval))
            lanes[lane.rawValue].late = []
        case .success(let page):
            // A delivery may have left memory while the page was read.
            if let due = page.nextDue { lanes[lane.rawValue].noteDue(now.monotonic(at: due)) }
            // A page of nothing new must not be asked for again at once: what it showed may be damaged.
            let before = lanes[lane.rawValue].count
            defer {
                if page.hasMore {
                    readOn(lane, isNew: lanes[lane.rawValue].count > before, at: now)
                } else {
                    catchUp(lane)
                }
            }
            for delivery in page.deliveries where !left.contains(delivery.sequence) {
                guard lanes[lane.rawValue].count < settings.window(lane) else { return fallBehind(lane) }
                insert(delivery.sequence, Entry(delivery, lane: lane, at: now))
            }
        }
    }

    /// Notes that there is more where a page came from.
    private mutating func readOn(_ lane: Queue.Lane, isNew: Bool, at now: ClockReading) {
        if isNew {
            lanes[lane.rawValue].isSpilled = true
        } else {
            lanes[lane.rawValue].noteDue(now.monotonic.adding(milliseconds: settings.sweepInterval))
        }
    }

    mutating func insert(_ delivery: Int64, _ entry: Entry) {
        guard entries[delivery] == nil else { return }
        entries[delivery] = entry
        lanes[entry.lane.rawValue].count += 1
        lanes[entry.lane.rawValue].ready.append(delivery, priority: entry.notification.notification.priority)
    }

    /// Begins as many deliveries as may be under way at once, urgent ones first.
    mutating func pump(at now: ClockReading) {
        guard !isDraining else { return }
        for lane in Queue.Lane.allCases where !isStuck(lane) {
            var deliveries: [Int64] = []
            var recipients: [RecipientID] = []
            let room = room(lane)
            while deliveries.count < room, let next = lanes[lane.rawValue].ready.popFirst() {
                guard let entry = entries[next], entry.phase == .ready else { continue }
                if entry.fallback?.stage == .lost {
                    finishLost(next, at: now)
                    continue
                }
                if entry.isDamaged {
                    finishDamaged(next, at: now)
                    continue
                }
                if !entry.isRechecked, entry.isExpired(at: now.wall) {
                    finish(next, expiredStatus(entry), at: now)
                    continue
                }
                entries[next]?.phase = .resolving
                entries[next]?.turn = now.monotonic
                lanes[lane.rawValue].active += 1
                lanes[lane.rawValue].resolving += 1
                deliveries.append(next)
                recipients.append(entry.recipient)
            }
            for start in stride(from: 0, to: deliveries.count, by: Self.resolvedAtOnce) {
                let part = start..<min(start + Self.resolvedAtOnce, deliveries.count)
                actions.append(.resolve(lane, Array(deliveries[part]), Array(recipients[part])))
            }
            guard lane == .bulk, !lanes[lane.rawValue].ready.isEmpty else { continue }
            for index in channels.indices { channels[index].pace.noteFull() }
        }
    }

    /// How many more deliveries of a lane may have their turn: of bulk as many as some channel may have a place for.
    ///
    /// Bulk has its turn a quarter of a window at a time: one by one, each would cost what many cost together.
    private func room(_ lane: Queue.Lane) -> Int {
        let state = lanes[lane.rawValue]
        guard lane == .bulk, !channels.isEmpty else { return settings.urgentFlights - state.active }
        var room = -state.resolving
        var windows = 0
        for channel in channels where channel.flights <= channel.pace.window / 4 * 3 {
            room += channel.pace.window - channel.flights
            windows += channel.pace.window
        }
        return room >= windows / 4 ? room : 0
    }

    /// Whether no channel can be used and enough waits for them: looking up further devices would only park them.
    private func isStuck(_ lane: Queue.Lane) -> Bool {
        // What is in the bulk lane never goes to phones.
        guard channels.allSatisfy({ !$0.isUsable || lane == .bulk && $0.phones != nil }) else { return false }
        return channels.reduce(0) { $0 + $1.blocked[lane.rawValue].count } >= waitingRoom(lane)
    }

    /// Asks the ledger for more where a window is half empty and there may be more.
    mutating func refill(at now: ClockReading) {
        guard !isDraining else { return }
        for lane in Queue.Lane.allCases {
            var state = lanes[lane.rawValue]
            if let due = state.nextDue, due <= now.monotonic { state.isSpilled = true }
            if state.isSpilled, !state.isLoading, state.count <= settings.window(lane) / 2 {
                // The page begins at the head of the queue, where those in memory stand: it is longer by their number.
                actions.append(.load(lane, limit: state.count + settings.window(lane) / 2))
                state.isSpilled = false
                state.forgetDue()
                state.isLoading = true
            }
            lanes[lane.rawValue] = state
        }
        refillParked(at: now)
    }

    /// Removes a delivery whose end, or next attempt, is written.
    mutating func forget(_ delivery: Int64) {
        endDead(delivery)
        guard let entry = entries.removeValue(forKey: delivery) else { return }
        lanes[entry.lane.rawValue].count -= 1
        noteLeft(delivery, entry.lane)
        leaveParked(delivery, entry)
    }

    /// Notes what a page or a sweep that is being read may show as it was.
    mutating func noteLeft(_ delivery: Int64, _ lane: Queue.Lane) {
        if lanes[lane.rawValue].isLoading { lanes[lane.rawValue].left.insert(delivery) }
        if isSweeping { leftWhileSweeping.insert(delivery) }
    }
}
