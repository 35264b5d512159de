// SPDX-License-Identifier: Apache-2.0

import Bus

/// What follows from what the outside said.
extension Dispatch {
    /// Takes what became of one attempt.
    mutating func take(_ report: DeliveryReport, at now: ClockReading, touched: inout Set<Int64>) {
        guard let flight = flights.removeValue(forKey: report.ticket) else { return }
        metrics.pushed(report.outcome, channel: flight.channel)
        channels[flight.channel].end(isAnswer: report.outcome.isAnswer, from: flight.turn, at: now.monotonic)
        judge(flight, report.outcome, at: now)
        guard let device = flight.device else { return takeText(flight, report.outcome, at: now) }
        guard var entry = entries[flight.delivery], entry.phase == .flying else {
            return takeLate(flight, device, report.outcome, at: now)
        }
        entry.flights -= 1
        note(report.outcome, of: flight, device, in: &entry, at: now)
        entries[flight.delivery] = entry
        touched.insert(flight.delivery)
    }

    /// Notes what became of an attempt on one device in its round.
    private mutating func note(
        _ outcome: Outcome,
        of flight: Flight,
        _ device: Device,
        in entry: inout Entry,
        at now: ClockReading
    ) {
        switch outcome {
        case .accepted: accept(flight, device, in: &entry)
        case .rejected(let reason):
            entry.round.isRejected = true
            entry.round.endedBy = flight.channel
            entry.round.finished.append(device.subscription)
            note(reason, of: flight, in: &entry)
        case .gone(let gone):
            let fate = judgeToken(flight, device, gone, at: now)
            entry.round.endedBy = flight.channel
            entry.round.hasDied = true
            entry.deadTokens[device.subscription] = device.token
            note(gone.reason, of: flight, in: &entry, then: fate.words)
            if case .remove(let token) = fate { remove(token, of: flight.channel, &entry) }
            // A token that is kept is not invalid: nobody can say more than that this did not work.
            if !fate.isDead { entry.round.isRejected = true }
        case .retry(let after, _, let reason):
            let wait = settings.retry.wait(after: entry.attempts, using: &generator)
            let time = now.monotonic.adding(milliseconds: wait + (after.map(Self.clamped) ?? 0))
            entry.round.retryAt = min(entry.round.retryAt ?? .distantFuture, time)
            note(reason, of: flight, in: &entry)
        case .unknown(let reason):
            let wait = settings.retry.wait(after: entry.attempts, using: &generator)
            entry.round.isAmbiguous = true
            let time = now.monotonic.adding(milliseconds: wait)
            entry.round.retryAt = min(entry.round.retryAt ?? .distantFuture, time)
            note(reason, of: flight, in: &entry)
        case .unavailable(let reason):
            entry.round.blockedBy = flight.channel
            note(reason, of: flight, in: &entry)
        }
    }

    /// Notes that a provider took it: the first success is the delivery's own, others are told beside it.
    private func accept(_ flight: Flight, _ device: Device, in entry: inout Entry) {
        let isFirst = entry.status == .queued && entry.round.acceptedBy == nil
        entry.round.finished.append(device.subscription)
        if flight.notesSuccess { entry.round.successOf = device.subscription }
        if isFirst {
            entry.round.acceptedBy = flight.channel
            entry.round.acceptedOn = device.subscription
        } else {
            entry.round.acceptedBy = entry.round.acceptedBy ?? flight.channel
            entry.round.outcomes.append(
                DeviceOutcome(
                    subscription: device.subscription,
                    channel: channels[flight.channel].label,
                    problem: nil
                )
            )
        }
    }

    /// Notes what went wrong on one device, and what follows for its subscription.
    func note(_ reason: String, of flight: Flight, in entry: inout Entry, then words: String? = nil) {
        let label = channels[flight.channel].label
        entry.round.problem = "\(label): \(reason)"
        entry.round.outcomes.append(
            DeviceOutcome(
                subscription: flight.device?.subscription,
                channel: label,
                problem: words.map { "\(reason); \($0)" } ?? reason
            )
        )
    }

    /// Draws from an outcome what it says of the channel.
    private mutating func judge(_ flight: Flight, _ outcome: Outcome, at now: ClockReading) {
        let channel = flight.channel
        let label = channels[channel].label
        switch outcome {
        case .accepted:
            channels[channel].lastAccepted = now.monotonic
            noteResult(flight, isSuccess: true, at: now)
            answered(flight, at: now)
        case .rejected, .retry(_, .delivery, _):
            noteResult(flight, isSuccess: false, at: now)
            answered(flight, at: now)
        case .gone: answered(flight, at: now)
        case .retry(let after?, .provider, let reason):
            // It asked to be left alone: all of it is.
            let wasWorking = channels[channel].health.isWorking
            channels[channel].health.suspend(at: now.monotonic, minimum: Self.clamped(after))
            guard wasWorking else { break }
            actions.append(
                .note(.warning, "channel suspended: the far end asked for it", channel: label, reason: reason)
            )
        case .retry(nil, .provider, let reason):
            tell(channel, "the far end fails: deliveries are tried again", reason, at: now)
            guard channels[channel].health.failed(at: now.monotonic) else { break }
            actions.append(.note(.warning, "channel suspended: the far end fails", channel: label, reason: reason))
        case .unknown(let reason):
            let what = channels[channel].phones == nil ? "deliveries are tried again" : "it is not asked again"
            tell(channel, "the far end is silent: \(what)", reason, at: now)
            guard channels[channel].health.failed(at: now.monotonic) else { break }
            actions.append(.note(.warning, "channel suspended: the far end is silent", channel: label, reason: reason))
        case .unavailable(let reason):
            let wasWorking = channels[channel].health.isWorking
            channels[channel].health.suspend(at: now.monotonic)
            guard wasWorking else { break }
            actions.append(.note(.error, "channel suspended: it cannot be used", channel: label, reason: reason))
        }
    }

    /// Tells of a failure at once, of those that follow once a minute: thousands may fail in a second.
    private mutating func tell(_ channel: Int, _ words: String, _ reason: String, at now: ClockReading) {
        guard channels[channel].health.isWorking, now.monotonic >= channels[channel].tellsFailuresFrom else { return }
        channels[channel].tellsFailuresFrom = now.monotonic.adding(milliseconds: 60_000)
        actions.append(.note(.warning, words, channel: channels[channel].label, reason: reason))
    }

    /// What a far end may ask for: at most an hour, in milliseconds.
    static func clamped(_ after: Int64) -> Int64 { min(max(0, after), 3_600_000) }

    private mutating func answered(_ flight: Flight, at now: ClockReading) {
        guard channels[flight.channel].health.answered(to: flight.began.monotonic, at: now.monotonic) else { return }
        actions.append(.note(.info, "channel works again", channel: channels[flight.channel].label, reason: ""))
    }

    /// Draws the sum of a round: the delivery ends, goes on later, or waits for a channel.
    mutating func conclude(_ delivery: Int64, at now: ClockReading) {
        guard var entry = entries[delivery], entry.phase == .flying else { return }
        let round = entry.round
        if round.acceptedBy != nil { entry.status = .sent }
        entry.finishedDevices += round.finished
        entries[delivery] = entry
        guard entry.flights == 0 else {
            // One device has it and another has not answered: what is known is written now.
            if round.acceptedBy != nil, !round.finished.isEmpty {
                write(delivery, entry, nextAttempt: now.monotonic, at: now)
                entries[delivery]?.round.outcomes = []
                entries[delivery]?.round.acceptedOn = nil
            }
            entries[delivery]?.round.finished = []
            return
        }
        if entry.isOver {
            lanes[entry.lane.rawValue].active -= 1
            return leaveOver(delivery)
        }
        if isToRecheck(entry, at: now) { return recheck(delivery) }
        switch afterPushes(&entry, at: now) {
        case .goOn: if entry.fallback?.limit != nil { countPush(of: delivery) }
        case .text:
            entries[delivery] = entry
            return text(delivery, leave: nil, at: now)
        case .awaitReceipt: return awaitReceipt(delivery, entry, at: now)
        }
        lanes[entry.lane.rawValue].active -= 1
        if let retryAt = round.retryAt, round.blockedBy == nil {
            retry(delivery, entry, at: retryAt, now: now)
        } else if let channel = round.blockedBy {
            block(delivery, entry, by: channel, now: now)
        } else {
            finish(delivery, finalStatus(entry), at: now)
        }
    }

    /// Whether its devices are read once more before it ends for dead tokens: an app may have told a new one while
    /// the provider was asked about the old.
    private func isToRecheck(_ entry: Entry, at now: ClockReading) -> Bool {
        let round = entry.round
        guard !isDraining, round.hasDied, entry.status == .queued, round.retryAt == nil, round.blockedBy == nil else {
            return false
        }
        let notification = entry.notification
        return now.wall < NotificationTime.end(accepted: notification.acceptedAt, expires: notification.expiresAt)
    }

    private mutating func recheck(_ delivery: Int64) {
        guard let entry = entries[delivery] else { return }
        lanes[entry.lane.rawValue].active -= 1
        entries[delivery]?.isRechecked = true
        entries[delivery]?.round.hasDied = false
        entries[delivery]?.round.finished = []
        entries[delivery]?.phase = .ready
        let priority = entry.notification.notification.priority
        lanes[entry.lane.rawValue].ready.prepend(delivery, priority: priority)
    }

    private mutating func retry(_ delivery: Int64, _ entry: Entry, at time: MonotonicTime, now: ClockReading) {
        guard entry.mayRetry, !entry.isExpired(at: now.wall) else {
            let failed: DeliveryStatus = entry.notification.notification.isPerishable ? .sendingFailed : .expired
            return finish(delivery, entry.status == .queued ? failed : entry.status, at: now)
        }
        let next = min(time, now.monotonic(at: entry.notification.expiresAt), entry.fallback?.limit ?? .distantFuture)
        // What was parked for a channel goes back to the others.
        write(delivery, entry, nextAttempt: next, parking: entry.parked == nil ? nil : 0, at: now)
        move(delivery, to: nil)
        if next.milliseconds(since: now.monotonic) <= settings.longestWaitInMemory {
            entries[delivery]?.phase = .waiting
            timers.set(delivery, at: next)
        } else {
            entries[delivery]?.phase = .leaving
            let lane = entry.lane.rawValue
            lanes[lane].noteDue(next)
        }
    }

    /// The end of a delivery whose devices are all settled.
    private func finalStatus(_ entry: Entry) -> DeliveryStatus {
        if entry.status != .queued { return entry.status }
        return entry.round.isRejected ? .sendingFailed : .invalidSubscription
    }

    /// The end of a delivery whose time has passed.
    func expiredStatus(_ entry: Entry) -> DeliveryStatus {
        entry.status == .queued ? (entry.isDamaged ? .sendingFailed : .expired) : entry.status
    }
}

extension Outcome {
    /// Whether the far end answered as it should, whatever it said.
    fileprivate var isAnswer: Bool {
        switch self {
        case .accepted, .rejected, .gone, .retry(_, .delivery, _): true
        case .retry(_, .provider, _), .unavailable, .unknown: false
        }
    }
}
