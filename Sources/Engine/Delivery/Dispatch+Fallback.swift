// SPDX-License-Identifier: Apache-2.0

import Bus

/// PIN codes: from pushes to a text message.
extension Dispatch {
    /// Says whether a delivery whose devices were just read pushes, or sends a text message.
    mutating func turn(_ entry: inout Entry, _ devices: [Subscription], at now: ClockReading) -> Fallback.Turn {
        guard var fallback = entry.fallback else { return .push }
        defer { entry.fallback = fallback }
        let notification = entry.notification.notification
        let hasRoute = channels.contains { $0.phones?.carries(notification) == true }
        let isServed = devices.contains { device in
            !entry.isSettled(device) && channels.contains { $0.serves(device, notification) }
        }
        let problem = devices.isEmpty ? nil : "no channel serves the recipient's devices"
        return fallback.turn(
            phone: hasRoute ? notification.phone(among: devices) ?? fallback.phone : nil,
            hasDevice: isServed,
            isTaken: entry.status == .sent,
            problem: entry.hasSettledDevices ? entry.round.problem ?? "no device took it" : problem,
            at: now.monotonic
        )
    }

    /// Says what follows from a round of pushes that are all answered.
    func afterPushes(_ entry: inout Entry, at now: ClockReading) -> Fallback.Next {
        guard var fallback = entry.fallback else { return .goOn }
        defer { entry.fallback = fallback }
        let round = entry.round
        let mayGoOn = round.retryAt != nil && entry.mayRetry || round.blockedBy != nil
        return fallback.pushed(
            Fallback.Pushes(
                isTaken: entry.status == .sent,
                isAmbiguous: round.isAmbiguous,
                isPending: mayGoOn,
                problem: round.problem
            ),
            at: now.monotonic
        )
    }

    /// Waits for a phone to tell that it has what a provider took.
    mutating func awaitReceipt(_ delivery: Int64, _ entry: Entry, at now: ClockReading) {
        lanes[entry.lane.rawValue].active -= 1
        countPush(of: delivery)
        leave(delivery, entry, until: entry.fallback?.time ?? now.monotonic, at: now)
    }

    /// Counts that a provider took a push, which is not the delivery's end.
    mutating func countPush(of delivery: Int64) {
        guard let entry = entries[delivery], let channel = entry.round.acceptedBy, !entry.isPushCounted else { return }
        entries[delivery]?.isPushCounted = true
        metrics.ended(.sent, channel: channel)
    }

    /// Writes when a delivery is due next, and lets go of it where that is far away.
    mutating func leave(_ delivery: Int64, _ entry: Entry, until time: MonotonicTime, at now: ClockReading) {
        write(delivery, entry, nextAttempt: time, parking: entry.parked == nil ? nil : 0, at: now)
        move(delivery, to: nil)
        if time.milliseconds(since: now.monotonic) <= settings.longestWaitInMemory {
            entries[delivery]?.phase = .waiting
            timers.set(delivery, at: time)
        } else {
            entries[delivery]?.phase = .leaving
            timers.remove(delivery)
            let lane = entry.lane.rawValue
            lanes[lane].noteDue(time)
        }
    }

    /// The time of pushes is over for a delivery that waits for a channel or for answers.
    mutating func endPushing(_ delivery: Int64, at now: ClockReading) {
        guard let entry = entries[delivery] else { return }
        if entry.phase == .blocked {
            if let channel = entry.round.blockedBy { unblock(channel, entry.lane, delivery) }
            makeReady(delivery, from: .blocked)
        } else if !isDraining, !entry.isOver,
            entries[delivery]?.fallback?.timeUp(isTaken: entry.status == .sent, at: now.monotonic) == true
        {
            text(delivery, leave: nil, at: now)
        }
    }

    /// A phone has it, and it is closed in the ledger.
    mutating func received(_ delivery: Int64) {
        guard var entry = entries[delivery] else {
            // PIN codes are urgent.
            metrics.queued(.urgent, -1)
            lanes[Queue.Lane.urgent.rawValue].late.removeAll { $0.delivery == delivery }
            for index in parked.indices where parked[index].isLoading { parked[index].left.insert(delivery) }
            return noteLeft(delivery, .urgent)
        }
        guard !entry.isOver else { return }
        metrics.queued(entry.lane, -1)
        entry.isOver = true
        takeLeave(of: &entry)
        entries[delivery] = entry
        switch entry.phase {
        case .ready, .waiting, .blocked:
            if entry.phase == .blocked, let channel = entry.round.blockedBy { unblock(channel, entry.lane, delivery) }
            leaveOver(delivery)
        case .resolving, .flying, .texting, .leaving: break
        }
    }

    /// Lets go of a delivery that is closed already and waits for no answer.
    mutating func leaveOver(_ delivery: Int64) {
        timers.remove(delivery)
        entries[delivery]?.phase = .leaving
        if entries[delivery]?.writes == 0 { forget(delivery) }
    }

    /// Takes an answer to a push that nobody waits for any more: a text message took its place, or a receipt came first.
    mutating func takeLate(_ flight: Flight, _ device: Device, _ outcome: Outcome, at now: ClockReading) {
        guard var entry = entries[flight.delivery] else {
            guard case .gone(let gone) = outcome,
                case .remove(let token) = judgeToken(flight, device, gone, at: now)
            else { return }
            return tokenSteps.append((flight.channel, .remove([token])))
        }
        entry.flights -= 1
        switch outcome {
        case .accepted, .rejected: entry.finishedDevices.append(device.subscription)
        case .gone(let gone):
            entry.deadTokens[device.subscription] = device.token
            if case .remove(let token) = judgeToken(flight, device, gone, at: now) {
                remove(token, of: flight.channel, &entry)
            }
        case .retry, .unknown, .unavailable: break
        }
        entries[flight.delivery] = entry
        if outcome == .accepted { noteLatePush(flight, at: now) }
    }

    /// Writes that a provider took a push while a text message is under way, or waits for its gateway.
    private mutating func noteLatePush(_ flight: Flight, at now: ClockReading) {
        guard var entry = entries[flight.delivery], entry.status == .queued, entry.phase != .leaving, !entry.isOver
        else {
            return
        }
        entries[flight.delivery]?.status = .sent
        entries[flight.delivery]?.isPushCounted = true
        metrics.ended(.sent, channel: flight.channel)
        entry.status = .sent
        entry.round = Entry.Round()
        entry.round.acceptedBy = flight.channel
        entry.round.acceptedOn = flight.device?.subscription
        write(flight.delivery, entry, nextAttempt: now.monotonic, at: now)
    }
}
