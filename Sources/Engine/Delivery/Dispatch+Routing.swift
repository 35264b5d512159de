// SPDX-License-Identifier: Apache-2.0

import Bus

/// Which devices get a delivery, and over which channel.
extension Dispatch {
    /// Sends deliveries whose recipients' devices were read.
    mutating func route(_ deliveries: [Int64], _ result: Result<[[Subscription]], LedgerError>, at now: ClockReading) {
        guard case .success(let found) = result, found.count == deliveries.count else {
            actions.append(.note(.error, "cannot read subscriptions", channel: "", reason: "\(result)"))
            for delivery in deliveries {
                postpone(delivery, until: now.monotonic.adding(milliseconds: settings.sweepInterval))
            }
            return
        }
        var plans = [[PlannedAttempt]](repeating: [], count: channels.count)
        for (delivery, devices) in zip(deliveries, found) { plan(delivery, devices, at: now, into: &plans) }
        for (channel, attempts) in plans.enumerated() where !attempts.isEmpty {
            actions.append(.send(channel: channel, attempts))
        }
    }

    private mutating func plan(
        _ delivery: Int64,
        _ devices: [Subscription],
        at now: ClockReading,
        into plans: inout [[PlannedAttempt]]
    ) {
        guard var entry = entries[delivery], entry.phase == .resolving else { return }
        lanes[entry.lane.rawValue].resolving -= 1
        if !entry.isRechecked { entry.round = Entry.Round() }
        entry.isRechecked = false
        let leave = entry.leave
        takeLeave(of: &entry)
        if entry.isOver {
            lanes[entry.lane.rawValue].active -= 1
            return leaveOver(delivery)
        }
        if turn(&entry, devices, at: now) == .text {
            entries[delivery] = entry
            return text(delivery, leave: leave, at: now)
        }
        var isServed = false
        for device in devices where !entry.isSettled(device) {
            guard let channel = channels.firstIndex(where: { $0.serves(device, entry.notification.notification) })
            else {
                continue
            }
            isServed = true
            guard leave == channel && channels[channel].isUsable || admits(channel, entry.lane, at: now) else {
                entry.round.blockedBy = channel
                continue
            }
            entry.flights += 1
            plans[channel].append(begin(delivery, entry, on: device, over: channel, at: now))
        }
        entry.phase = .flying
        if entry.flights > 0 { entry.attempts += 1 }
        if let limit = entry.fallback?.limit { timers.set(delivery, at: limit) }
        if !isServed, !entry.hasSettledDevices, !devices.isEmpty {
            entry.round.isRejected = true
            let problem = "no channel serves the recipient's devices"
            entry.round.problem = problem
            entry.round.outcomes.append(DeviceOutcome(subscription: nil, channel: nil, problem: problem))
        }
        entries[delivery] = entry
        if entry.flights == 0 { conclude(delivery, at: now) }
    }

    private mutating func begin(
        _ delivery: Int64,
        _ entry: Entry,
        on subscription: Subscription,
        over channel: Int,
        at now: ClockReading
    ) -> PlannedAttempt {
        let device = Device(
            subscription: subscription.sequence,
            app: subscription.app,
            platform: subscription.platform,
            token: subscription.token,
            registeredAt: subscription.tokenAt,
            topic: topics[subscription.app]
        )
        lastTicket += 1
        channels[channel].begin(at: now.monotonic)
        let isSuccessOld =
            now.wall.milliseconds(since: subscription.lastSuccess ?? .distantPast) >= settings.successInterval
        flights[lastTicket] = Flight(
            delivery: delivery,
            channel: channel,
            device: device,
            began: now,
            turn: entry.lane == .bulk ? entry.turn : nil,
            notesSuccess: isSuccessOld
        )
        return PlannedAttempt(
            ticket: lastTicket,
            delivery: delivery,
            notification: entry.notification,
            address: .device(device),
            fallback: entry.fallback?.limit
        )
    }

    /// Whether a channel takes one more: what waits for it goes first, unless it is less urgent.
    mutating func admits(_ channel: Int, _ lane: Queue.Lane, at now: ClockReading) -> Bool {
        guard channels[channel].isUsable else {
            return !channels[channel].isPaused && channels[channel].health.admits(at: now.monotonic)
        }
        guard channels[channel].blocked[...lane.rawValue].allSatisfy(\.isEmpty) else { return false }
        return channels[channel].room(lane, at: now.monotonic, settings) > 0
    }

    /// Ends the leave that a channel gave a delivery.
    mutating func takeLeave(of entry: inout Entry) {
        guard let channel = entry.leave else { return }
        channels[channel].leaves -= 1
        entry.leave = nil
    }

    /// Puts a delivery back for a while after a fault of the ledger's.
    private mutating func postpone(_ delivery: Int64, until time: MonotonicTime) {
        guard var entry = entries[delivery], entry.phase == .resolving else { return }
        lanes[entry.lane.rawValue].active -= 1
        lanes[entry.lane.rawValue].resolving -= 1
        entry.phase = .waiting
        takeLeave(of: &entry)
        entries[delivery] = entry
        timers.set(delivery, at: time)
    }
}
