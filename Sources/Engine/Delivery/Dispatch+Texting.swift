// SPDX-License-Identifier: Apache-2.0

import Bus

/// A text message that is handed to its gateway when its intent is written.
struct IntendedText: Sendable {
    let channel: Int
    let attempt: Dispatch.PlannedAttempt
    /// Why it is sent, where the timeline is told now.
    let reason: String?
}

/// Text messages in the place of pushes: one at most, so the ledger knows of it before a gateway does.
extension Dispatch {
    /// Hands a delivery that is under way over to a channel for phones.
    mutating func text(_ delivery: Int64, leave: Int?, at now: ClockReading) {
        guard var entry = entries[delivery], let phone = entry.fallback?.phone else { return }
        timers.remove(delivery)
        entry.holdsText = false
        entry.phase = .texting
        entries[delivery] = entry
        if entry.isOver {
            lanes[entry.lane.rawValue].active -= 1
            return leaveOver(delivery)
        }
        if isDraining {
            lanes[entry.lane.rawValue].active -= 1
            countPush(of: delivery)
            return self.leave(delivery, entry, until: now.monotonic, at: now)
        }
        guard entry.writes == 0 else {
            entries[delivery]?.holdsText = true
            return
        }
        guard let channel = phoneChannel(for: entry, leave: leave) else { return }
        guard leave == channel && channels[channel].isUsable || admits(channel, entry.lane, at: now) else {
            lanes[entry.lane.rawValue].active -= 1
            return waitForGateway(delivery, entry, channel, at: now)
        }
        intend(delivery, entry, to: phone, over: channel, at: now)
    }

    /// The channel that gave it leave, else the first one that can be used, else the first one.
    private func phoneChannel(for entry: Entry, leave: Int?) -> Int? {
        let notification = entry.notification.notification
        let carriers = channels.indices.filter { channels[$0].phones?.carries(notification) == true }
        if let leave, carriers.contains(leave) { return leave }
        return carriers.first { channels[$0].isUsable } ?? carriers.first
    }

    /// Has a text message wait for its channel; that there are no more pushes is written once.
    private mutating func waitForGateway(_ delivery: Int64, _ entry: Entry, _ channel: Int, at now: ClockReading) {
        countPush(of: delivery)
        if !entry.isDueWritten, !entry.isExpired(at: now.wall) {
            var known = entry
            known.round.outcomes = []
            write(delivery, known, nextAttempt: now.monotonic, at: now)
        }
        entries[delivery]?.round = Entry.Round()
        guard let entry = entries[delivery] else { return }
        block(delivery, entry, by: channel, now: now)
    }

    private mutating func intend(
        _ delivery: Int64,
        _ entry: Entry,
        to phone: String,
        over channel: Int,
        at now: ClockReading
    ) {
        var entry = entry
        let reason = entry.fallback?.ask()
        entry.attempts += 1
        entries[delivery] = entry
        lastTicket += 1
        channels[channel].begin(at: now.monotonic)
        flights[lastTicket] = Flight(
            delivery: delivery,
            channel: channel,
            device: nil,
            began: now,
            turn: nil,
            notesSuccess: false
        )
        let attempt = PlannedAttempt(
            ticket: lastTicket,
            delivery: delivery,
            notification: entry.notification,
            address: .phone(phone)
        )
        intended[delivery] = IntendedText(channel: channel, attempt: attempt, reason: reason)
        let round = entry.round
        countPush(of: delivery)
        intents.append(
            Settlement(
                delivery: delivery,
                status: entry.status,
                at: now.wall,
                nextAttempt: now.due,
                attempts: entry.attempts,
                channel: round.acceptedBy.map { channels[$0].label },
                device: round.acceptedOn,
                finishedDevices: entry.finishedDevices + entry.deadTokens.keys.sorted(),
                successOf: round.successOf,
                parking: entry.parked == nil ? nil : 0,
                outcomes: round.outcomes,
                text: .called,
                notes: reason.map { [.fallback(channel: channels[channel].label, reason: $0)] } ?? []
            )
        )
        move(delivery, to: nil)
    }

    /// Asks the gateways whose intent is written; where it could not be, or was too late, they never hear of it.
    mutating func intended(_ deliveries: [Int64], _ result: Result<[Bool], LedgerError>, at now: ClockReading) {
        var plans: [Int: [PlannedAttempt]] = [:]
        if case .failure(let error) = result {
            actions.append(.note(.error, "cannot write what text messages are sent", channel: "", reason: "\(error)"))
        }
        for (index, delivery) in deliveries.enumerated() {
            guard let text = intended.removeValue(forKey: delivery), let entry = entries[delivery] else { continue }
            if case .success = result { endDead(delivery) }
            if case .success(let written) = result, written[index], !entry.isExpired(at: now.wall) {
                plans[text.channel, default: []].append(text.attempt)
                continue
            }
            withdraw(text, delivery, at: now)
            switch result {
            case .failure:
                entries[delivery]?.phase = .waiting
                timers.set(delivery, at: now.monotonic.adding(milliseconds: settings.sweepInterval))
            case .success(let written) where written[index]:
                entries[delivery]?.round.text = .due
                finish(delivery, expiredStatus(entry), at: now)
            case .success:
                if !entry.isOver { metrics.queued(entry.lane, -1) }
                entries[delivery]?.isOver = true
                leaveOver(delivery)
            }
        }
        for (channel, attempts) in plans.sorted(by: { $0.key < $1.key }) {
            actions.append(.send(channel: channel, attempts))
        }
    }

    private mutating func withdraw(_ text: IntendedText, _ delivery: Int64, at now: ClockReading) {
        flights.removeValue(forKey: text.attempt.ticket)
        channels[text.channel].end(isAnswer: false, at: now.monotonic)
        channels[text.channel].health.withdraw(at: now.monotonic)
        guard let entry = entries[delivery] else { return }
        lanes[entry.lane.rawValue].active -= 1
        entries[delivery]?.fallback?.notTaken(reason: text.reason)
        entries[delivery]?.round = Entry.Round()
    }

    /// Takes what became of a text message.
    mutating func takeText(_ flight: Flight, _ outcome: Outcome, at now: ClockReading) {
        guard var entry = entries[flight.delivery], entry.phase == .texting else { return }
        let label = channels[flight.channel].label
        lanes[entry.lane.rawValue].active -= 1
        entry.round = Entry.Round()
        switch outcome {
        case .accepted: end(flight, &entry, .taken, entry.status == .sent ? .sent(channel: label) : nil, at: now)
        case .unknown(let reason): end(flight, &entry, .called, .unknown(channel: label, reason: reason), at: now)
        case .rejected(let reason): end(flight, &entry, .failed, .refused(channel: label, reason: reason), at: now)
        case .gone(let gone): end(flight, &entry, .failed, .refused(channel: label, reason: gone.reason), at: now)
        case .retry(let after, _, let reason):
            let wait = settings.retry.wait(after: entry.attempts, using: &generator)
            note(reason, of: flight, in: &entry)
            retryText(
                flight,
                &entry,
                at: now.monotonic.adding(milliseconds: wait + (after.map(Self.clamped) ?? 0)),
                reason,
                now: now
            )
        case .unavailable(let reason):
            note(reason, of: flight, in: &entry)
            entry.fallback?.notTaken()
            entries[flight.delivery] = entry
            write(flight.delivery, entry, nextAttempt: now.monotonic, at: now)
            block(flight.delivery, entry, by: flight.channel, now: now)
        }
    }

    private mutating func retryText(
        _ flight: Flight,
        _ entry: inout Entry,
        at time: MonotonicTime,
        _ reason: String,
        now: ClockReading
    ) {
        let delivery = flight.delivery
        entry.fallback?.notTaken()
        guard entry.mayRetry, !entry.isExpired(at: now.wall) else {
            if entry.notification.notification.isPerishable, entry.status == .queued {
                let note = TimelineNote.refused(channel: channels[flight.channel].label, reason: reason)
                entry.round.outcomes = []
                return end(flight, &entry, .failed, note, at: now)
            }
            entry.round.text = .due
            entries[delivery] = entry
            return finish(delivery, expiredStatus(entry), at: now)
        }
        entries[delivery] = entry
        leave(delivery, entry, until: min(time, now.monotonic(at: entry.notification.expiresAt)), at: now)
    }

    private mutating func end(
        _ flight: Flight,
        _ entry: inout Entry,
        _ state: TextState,
        _ note: TimelineNote?,
        at now: ClockReading
    ) {
        entry.round.text = state
        if let note { entry.round.notes = [note] }
        // Where a push was taken before, the delivery's channel stays the one that took it.
        if state == .failed || entry.status == .sent {
            entry.round.endedBy = flight.channel
        } else {
            entry.round.acceptedBy = flight.channel
        }
        entries[flight.delivery] = entry
        finish(flight.delivery, state == .failed ? .sendingFailed : .sent, at: now)
    }

    /// Ends a delivery whose gateway was asked before the bus stopped: nobody can say whether it has it.
    mutating func finishLost(_ delivery: Int64, at now: ClockReading) {
        guard var entry = entries[delivery] else { return }
        let channel = phoneChannel(for: entry, leave: nil)
        let label = channel.map { channels[$0].label } ?? ""
        entry.round = Entry.Round()
        entry.round.text = .called
        entry.round.notes = [.unknown(channel: label, reason: "the bus stopped while the gateway was asked")]
        if entry.status == .queued { entry.round.acceptedBy = channel } else { entry.round.endedBy = channel }
        entries[delivery] = entry
        finish(delivery, entry.status == .queued ? .sent : entry.status, at: now)
    }
}
