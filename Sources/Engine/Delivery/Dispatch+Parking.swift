// SPDX-License-Identifier: Apache-2.0

import Bus

/// What waits for a channel that cannot be used: a little of it in memory, the rest parked in the ledger.
extension Dispatch {
    /// The queues of channels, and those of channels that are no more; `found` are not empty.
    static func queues(of labels: [String], holding found: [(number: Int32, lane: Queue.Lane)]) -> [ParkedQueue] {
        let numbers = ParkedQueue.numbers(of: labels)
        var queues = numbers.enumerated().flatMap { channel, number in
            Queue.Lane.allCases.map { ParkedQueue(channel: channel, number: number, lane: $0) }
        }
        for (number, lane) in found where !numbers.contains(number) {
            queues.append(ParkedQueue(channel: nil, number: number, lane: lane))
        }
        for index in queues.indices {
            // Asked at the start whatever was found: an empty page costs nothing.
            queues[index].isSpilled = true
        }
        return queues
    }

    /// How many deliveries of a lane may wait for one channel in memory.
    func waitingRoom(_ lane: Queue.Lane) -> Int { settings.waiting(lane, channels: channels.count) }

    /// Has a delivery wait for a channel.
    mutating func block(_ delivery: Int64, _ entry: Entry, by channel: Int, now: ClockReading) {
        if entry.isExpired(at: now.wall) { return finish(delivery, expiredStatus(entry), at: now) }
        if entry.round.acceptedBy != nil {
            write(delivery, entry, nextAttempt: now.monotonic, at: now)
            entries[delivery]?.round.outcomes = []
        }
        entries[delivery]?.phase = .blocked
        entries[delivery]?.round.blockedBy = channel
        if let limit = entry.fallback?.limit { timers.set(delivery, at: limit) }
        channels[channel].blocked[entry.lane.rawValue].append(delivery)
    }

    /// Gives a delivery that waits for a channel back to the ledger; it leaves memory when that is written.
    mutating func park(_ delivery: Int64, _ entry: Entry, for channel: Int, now: ClockReading) {
        var parked = entry
        // That the channel cannot be used is told once in the log, not of a million deliveries.
        parked.round.outcomes.removeAll { $0.channel == channels[channel].label }
        // Its text message must not wait where only the channel's recovery looks.
        if let limit = entry.fallback?.limit { return leave(delivery, parked, until: limit, at: now) }
        // Due since it came, so that the queue keeps the order.
        let due = now.monotonic(at: min(now.wall, entry.notification.acceptedAt))
        write(delivery, parked, nextAttempt: due, parking: self.parked[2 * channel].number, at: now)
        entries[delivery]?.phase = .leaving
        entries[delivery]?.isParking = true
        move(delivery, to: 2 * channel + entry.lane.rawValue)
    }

    /// Notes in which parked queue the ledger has a delivery.
    mutating func move(_ delivery: Int64, to queue: Int?) {
        if let before = entries[delivery]?.parked { parked[before].count -= 1 }
        entries[delivery]?.parked = queue
        if let queue { parked[queue].count += 1 }
    }

    /// Notes that a delivery of a parked queue leaves memory.
    mutating func leaveParked(_ delivery: Int64, _ entry: Entry) {
        guard let queue = entry.parked else { return }
        parked[queue].count -= 1
        if parked[queue].isLoading { parked[queue].left.insert(delivery) }
        if entry.isParking { parked[queue].isSpilled = true }
    }

    /// Asks for what is parked, where the channel can take some or needs one to be probed with.
    mutating func refillParked(at now: ClockReading) {
        for index in parked.indices where parked[index].isSpilled && !parked[index].isLoading {
            let queue = parked[index]
            guard now.monotonic >= queue.notBefore, let limit = appetite(queue, at: now) else { continue }
            // The page begins at the head of the queue, where those in memory stand: it is longer by their number.
            actions.append(.loadParked(index, queue.lane, number: queue.number, limit: queue.count + limit))
            parked[index].isSpilled = false
            parked[index].isLoading = true
        }
    }

    /// How many deliveries of a parked queue are wanted now.
    private func appetite(_ queue: ParkedQueue, at now: ClockReading) -> Int? {
        let room = waitingRoom(queue.lane)
        guard lanes[queue.lane.rawValue].count < settings.window(queue.lane) else { return nil }
        guard let channel = queue.channel else { return queue.count <= room / 2 ? room : nil }
        let state = channels[channel]
        if state.isUsable {
            return queue.count <= room / 2 && state.blocked[queue.lane.rawValue].count <= room / 2 ? room : nil
        }
        guard isProbeWanted(channel), state.blocked.allSatisfy(\.isEmpty),
            let probe = state.health.nextProbe, probe <= now.monotonic
        else { return nil }
        return 1
    }

    /// Takes what was parked back into its lane's window.
    mutating func loadParked(_ index: Int, _ result: Result<DuePage, LedgerError>, at now: ClockReading) {
        let queue = parked[index]
        parked[index].isLoading = false
        parked[index].left = []
        switch result {
        case .failure(let error):
            actions.append(.note(.error, "cannot read what is parked", channel: "", reason: "\(error)"))
            parked[index].isSpilled = true
            parked[index].notBefore = now.monotonic.adding(milliseconds: settings.sweepInterval)
        case .success(let page):
            let before = lanes[queue.lane.rawValue].count
            for delivery in page.deliveries where !queue.left.contains(delivery.sequence) {
                guard entries[delivery.sequence] == nil else { continue }
                insert(delivery.sequence, Entry(delivery, lane: queue.lane, at: now))
                move(delivery.sequence, to: index)
            }
            guard page.hasMore else { return }
            parked[index].isSpilled = true
            // A page of nothing new must not be asked for again at once.
            if lanes[queue.lane.rawValue].count == before {
                parked[index].notBefore = now.monotonic.adding(milliseconds: settings.sweepInterval)
            }
        }
    }
}
