// SPDX-License-Identifier: Apache-2.0

import Bus

/// Lets go what waits for channels when they can take it; what may not wait in memory is parked in the ledger.
struct Parking {
    let parts: DispatchParts
    let lifecycle: DeliveryLifecycle

    /// The queues of the channels, urgent and bulk, then those of channels that are no more.
    var queues: [ParkedQueue] { parts.gates.flatMap(\.parked) + parts.orphans }

    /// Lets go what a channel can take: all, as many as it may be given, or one to probe it with.
    func serve(_ gate: ChannelGate, at now: ClockReading) {
        if gate.isUsable {
            for lane in Queue.Lane.allCases { release(lane, of: gate, at: now) }
        } else if let probe = gate.popProbe(at: now.monotonic) {
            lifecycle.release(probe)
        }
        guard !gate.isBrisk(at: now.monotonic) else { return }
        for lane in Queue.Lane.allCases {
            while gate.waiting(lane) > room(lane), let delivery = gate.popWaiting(lane) {
                lifecycle.park(delivery, for: gate, at: now)
            }
        }
    }

    private func release(_ lane: Queue.Lane, of gate: ChannelGate, at now: ClockReading) {
        guard gate.waiting(lane) > 0 else { return }
        var room = gate.room(lane, at: now.monotonic)
        // Without a limit there is nothing to keep a place for.
        let needsPermit = room < .max
        var released: [InFlightDelivery] = []
        while room > 0, let delivery = gate.popWaiting(lane) {
            if needsPermit { gate.grant(delivery) }
            released.append(delivery)
            room -= 1
        }
        // Each goes to the front, so the first one goes there last.
        for delivery in released.reversed() { lifecycle.release(delivery) }
    }

    /// How many deliveries of a lane may wait for one channel in memory.
    func room(_ lane: Queue.Lane) -> Int { parts.settings.waiting(lane, channels: parts.gates.count) }

    /// Asks for what is parked, where the channel can take some or needs one to be probed with.
    func refill(at now: ClockReading) {
        for (index, gate) in parts.gates.enumerated() {
            for (place, queue) in gate.parked.enumerated() where isWanted(queue, at: now) {
                guard let limit = appetite(queue, of: gate, at: now) else { continue }
                ask(queue, 2 * index + place, limit)
            }
        }
        for (index, queue) in parts.orphans.enumerated() where isWanted(queue, at: now) {
            let room = room(queue.lane)
            if queue.count <= room / 2 { ask(queue, 2 * parts.gates.count + index, room) }
        }
    }

    private func isWanted(_ queue: ParkedQueue, at now: ClockReading) -> Bool {
        queue.cursor.isSpilled && !queue.cursor.isLoading && now.monotonic >= queue.notBefore
            && parts.lanes[queue.lane.rawValue].room > 0
    }

    private func ask(_ queue: ParkedQueue, _ index: Int, _ limit: Int) {
        queue.cursor.begin()
        // The page begins at the head of the queue, where those in memory stand: it is longer by their number.
        let action = Dispatch.Action.loadParked(index, queue.lane, number: queue.number, limit: queue.count + limit)
        parts.actions.append(action)
    }

    /// How many deliveries of a channel's parked queue are wanted now.
    private func appetite(_ queue: ParkedQueue, of gate: ChannelGate, at now: ClockReading) -> Int? {
        let room = room(queue.lane)
        if gate.isUsable {
            return queue.count <= room / 2 && gate.waiting(queue.lane) <= room / 2 ? room : nil
        }
        return gate.waiting == 0 && gate.isProbeDue(at: now.monotonic) ? 1 : nil
    }

    /// Takes what was parked back into its lane's window.
    func take(_ index: Int, _ result: Result<DuePage, LedgerError>, at now: ClockReading) {
        let queue = queues[index]
        let lane = parts.lanes[queue.lane.rawValue]
        let evicted = queue.cursor.end()
        switch result {
        case .failure(let error):
            parts.actions.note(.error, "cannot read what is parked", reason: "\(error)")
            queue.cursor.spill()
            queue.notBefore = parts.sweepTime(after: now)
        case .success(let page):
            let before = lane.count
            for row in page.deliveries where !evicted.contains(row.sequence) && parts.table[row.sequence] == nil {
                let delivery = InFlightDelivery(row, lane: queue.lane, at: now)
                lane.enter(delivery)
                ParkedQueue.move(delivery, to: queue)
            }
            guard page.hasMore else { return }
            queue.cursor.spill()
            // A page of nothing new must not be asked for again at once.
            if lane.count == before { queue.notBefore = parts.sweepTime(after: now) }
        }
    }
}
