// SPDX-License-Identifier: Apache-2.0

import Bus

/// Writing what became of deliveries, and noticing in time what nobody sent.
extension Dispatch {
    /// Ends a delivery; it stays in memory until that is written, so that no page brings it back.
    mutating func finish(_ delivery: Int64, _ status: DeliveryStatus, at now: ClockReading) {
        guard var entry = entries[delivery] else { return }
        takeLeave(of: &entry)
        entries[delivery]?.leave = nil
        if entry.phase == .blocked, let channel = entry.round.blockedBy { unblock(channel, entry.lane, delivery) }
        entries[delivery]?.phase = .leaving
        entries[delivery]?.isOver = true
        entries[delivery]?.status = status
        timers.remove(delivery)
        var ended = entry
        ended.status = status
        metrics.queued(entry.lane, -1)
        count(entry, status)
        write(delivery, ended, nextAttempt: nil, at: now)
    }

    private func count(_ entry: Entry, _ status: DeliveryStatus) {
        let channel = entry.round.acceptedBy ?? (status == .expired ? nil : entry.round.endedBy)
        // A push that was followed by nothing is counted since a provider took it.
        if entry.fallback != nil, channel == nil, entry.status == .sent { return }
        metrics.ended(status, channel: channel)
    }

    /// Takes a delivery out of the line of a channel.
    mutating func unblock(_ channel: Int, _ lane: Queue.Lane, _ delivery: Int64) {
        let entries = entries
        channels[channel].blocked[lane.rawValue].lost { $0 != delivery && entries[$0]?.phase == .blocked }
    }

    /// Writes how far a delivery is; `nextAttempt` is `nil` at its end.
    mutating func write(
        _ delivery: Int64,
        _ entry: Entry,
        nextAttempt: MonotonicTime?,
        parking: Int32? = nil,
        at now: ClockReading
    ) {
        let isDue = nextAttempt != nil && entry.fallback?.isDue == true
        if isDue { entries[delivery]?.isDueWritten = true }
        settlements.append(
            Settlement(
                delivery: delivery,
                status: entry.status,
                at: now.wall,
                nextAttempt: nextAttempt.map(now.due),
                attempts: entry.attempts,
                channel: entry.round.acceptedBy.map { channels[$0].label },
                device: entry.round.acceptedOn,
                finishedDevices: nextAttempt == nil ? [] : entry.finishedDevices + entry.deadTokens.keys.sorted(),
                successOf: entry.round.successOf,
                parking: parking,
                outcomes: entry.round.outcomes,
                text: entry.round.text ?? (isDue ? .due : nil),
                phone: isDue || entry.keepsPhone && nextAttempt != nil ? entry.fallback?.phone : nil,
                notes: entry.round.notes,
                isSecret: entry.notification.notification.content.type == .pinCode
            )
        )
        entries[delivery]?.writes += 1
        if parking ?? 0 == 0 { observe(entry, nextAttempt: nextAttempt, at: now) }
    }

    private mutating func observe(_ entry: Entry, nextAttempt: MonotonicTime?, at now: ClockReading) {
        guard isObserved else { return }
        let event = DeliveryEvent(
            notification: entry.notification.notification.id,
            recipient: entry.recipient,
            status: entry.status,
            channel: entry.round.acceptedBy.map { channels[$0].label },
            problem: entry.round.problem,
            nextAttempt: nextAttempt.map(now.wall),
            at: now.wall
        )
        actions.append(.observe(event))
    }

    /// Notes that settlements are on disk, or were another node's to write; what could not be written is tried again.
    mutating func settled(_ settlements: [Settlement], _ result: Result<[Bool], LedgerError>, at now: ClockReading) {
        writes -= settlements.count
        let held: [Bool]
        switch result {
        case .success(let answers): held = answers
        case .failure(let error):
            actions.append(.note(.error, "cannot write what became of deliveries", channel: "", reason: "\(error)"))
            unwritten += settlements
            return
        }
        for (settlement, isHeld) in zip(settlements, held) {
            // Its new owner does what is left to do, as with one that a phone has.
            if !isHeld { received(settlement.delivery) }
            guard let entry = entries[settlement.delivery] else { continue }
            entries[settlement.delivery]?.writes -= 1
            endDead(settlement.delivery)
            guard entry.writes == 1 else { continue }
            if entry.phase == .leaving { forget(settlement.delivery) }
            if entry.holdsText { text(settlement.delivery, leave: nil, at: now) }
        }
    }

    /// Once in a while: looks for what expired, writes again what could not be written.
    mutating func sweep(at now: ClockReading) {
        guard now.monotonic >= nextSweep else { return }
        nextSweep = now.monotonic.adding(milliseconds: settings.sweepInterval)
        settlements += unwritten
        unwritten = []
        endSilence(at: now)
        guard !isSweeping, !isDraining else { return }
        isSweeping = true
        actions.append(.sweep(limit: Self.sweepLimit))
    }

    /// Answers in the place of a channel that broke its word and told nothing.
    private mutating func endSilence(at now: ClockReading) {
        let longest = settings.attemptTimeout + 10_000
        let silent = flights.filter {
            now.monotonic.milliseconds(since: $0.value.began.monotonic) > longest
                && intended[$0.value.delivery]?.attempt.ticket != $0.key
        }.map(\.key)
        guard !silent.isEmpty else { return }
        var touched: Set<Int64> = []
        for ticket in silent {
            take(
                DeliveryReport(ticket: ticket, outcome: .unknown(reason: "the channel told no outcome")),
                at: now,
                touched: &touched
            )
        }
        for delivery in touched { conclude(delivery, at: now) }
    }

    /// Ends what the ledger found expired, unless a provider is about to say otherwise.
    mutating func expire(_ result: Result<[QueuedDelivery], LedgerError>, at now: ClockReading) {
        isSweeping = false
        let left = leftWhileSweeping
        leftWhileSweeping = []
        guard case .success(let deliveries) = result else { return }
        for delivery in deliveries where !left.contains(delivery.sequence) {
            if let entry = entries[delivery.sequence] {
                switch entry.phase {
                case .ready where entry.fallback?.stage == .lost: finishLost(delivery.sequence, at: now)
                case .ready where entry.isExpired(at: now.wall), .waiting where entry.isExpired(at: now.wall),
                    .blocked where entry.isExpired(at: now.wall):
                    finish(delivery.sequence, expiredStatus(entry), at: now)
                default: break
                }
            } else {
                let lane: Queue.Lane = delivery.notification.notification.isUrgent ? .urgent : .bulk
                let entry = Entry(delivery, lane: lane, at: now)
                let isLost = entry.fallback?.stage == .lost
                guard isLost || entry.isExpired(at: now.wall) else { continue }
                entries[delivery.sequence] = entry
                lanes[lane.rawValue].count += 1
                if isLost {
                    finishLost(delivery.sequence, at: now)
                } else if entry.isDamaged {
                    finishDamaged(delivery.sequence, at: now)
                } else {
                    finish(delivery.sequence, expiredStatus(entry), at: now)
                }
            }
        }
        if deliveries.count == Self.sweepLimit { nextSweep = now.monotonic }
    }

    /// How things are.
    var report: DispatchReport {
        DispatchReport(
            inMemory: lanes.map(\.count),
            underWay: flights.count,
            channels: channels.map {
                DispatchReport.Channel(
                    label: $0.label,
                    isPaused: $0.isPaused,
                    isSuspended: !$0.health.isWorking,
                    isInDoubt: $0.tokens.isInDoubt,
                    blocked: $0.blocked.reduce(0) { $0 + $1.count }
                )
            }
        )
    }
}
