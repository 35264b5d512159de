// SPDX-License-Identifier: Apache-2.0

import Bus

/// What follows from what a bank said.
extension CallbackDispatch {
    /// Takes what became of one call.
    mutating func take(_ report: DeliveryReport, at now: ClockReading) {
        guard let flight = flights.removeValue(forKey: report.ticket), let entry = entries[flight.line] else { return }
        links[entry.link].flights -= 1
        judge(entry.link, report.outcome, of: flight.began, at: now)
        switch report.outcome {
        case .accepted: end(flight.line, .told, at: now)
        case .rejected(let reason): bury(flight.line, entry.call.attempts + 1, reason, at: now)
        case .gone(let gone): bury(flight.line, entry.call.attempts + 1, gone.reason, at: now)
        case .retry(let after, _, let reason): retry(flight.line, entry, after: after, reason, at: now)
        case .unknown(let reason): retry(flight.line, entry, after: nil, reason, at: now)
        case .unavailable(let reason):
            // Nothing was said of this call: it keeps its turn until the link works.
            links[entry.link].problem = reason
            entries[flight.line]?.phase = .ready
            links[entry.link].ready.append(flight.line)
        }
    }

    /// Draws from an outcome what it says of the link.
    private mutating func judge(
        _ link: Int,
        _ outcome: Outcome,
        of began: MonotonicTime,
        at now: ClockReading
    ) {
        switch outcome {
        case .accepted: answered(link, hasTaken: true, to: began, at: now)
        case .rejected, .gone, .retry(_, .delivery, _): answered(link, hasTaken: false, to: began, at: now)
        case .retry(let after?, .provider, let reason):
            // It asked to be left alone: all of it is, as with a channel.
            let wasWorking = links[link].health.isWorking
            links[link].health.suspend(at: now.monotonic, minimum: Dispatch.clamped(after))
            if wasWorking { suspended(link, .warning, "the bank asked for it", reason) }
        case .retry(nil, .provider, let reason):
            tellFailure(link, "the bank fails: it is told again later", reason, at: now)
            if links[link].health.failed(at: now.monotonic) { suspended(link, .warning, "the bank fails", reason) }
        case .unknown(let reason):
            tellFailure(link, "the bank is silent: it is told again later", reason, at: now)
            if links[link].health.failed(at: now.monotonic) { suspended(link, .warning, "the bank is silent", reason) }
        case .unavailable(let reason):
            let wasWorking = links[link].health.isWorking
            links[link].health.suspend(at: now.monotonic)
            if wasWorking { suspended(link, .error, "it cannot be used", reason) }
        }
    }

    private mutating func retry(_ line: Int64, _ entry: Entry, after: Int64?, _ reason: String, at now: ClockReading) {
        let attempts = entry.call.attempts + 1
        let end = giveUpTime(entry.call)
        links[entry.link].problem = reason
        guard now.due < end else { return bury(line, attempts, reason, at: now) }
        let wait = settings.retry.wait(after: attempts, using: &generator)
        let due = min(now.due.adding(milliseconds: wait + (after.map(Dispatch.clamped) ?? 0)), end)
        metrics.count(.retried, link: entry.link)
        self.end(line, .later(due: due, attempts: attempts), at: now)
    }

    /// Gives up what waits in vain for a link that does not work.
    mutating func giveUp(_ link: Int, at now: ClockReading) {
        guard !links[link].health.isWorking, !links[link].isPaused, !links[link].ready.isEmpty else { return }
        let overdue = entries.filter { $1.link == link && $1.phase == .ready && giveUpTime($1.call) <= now.due }
        for (line, entry) in overdue { bury(line, entry.call.attempts, links[link].problem, at: now) }
    }

    private func giveUpTime(_ call: QueuedCallback) -> DueTime { call.since.adding(milliseconds: settings.giveUpAfter) }

    private mutating func bury(_ line: Int64, _ attempts: Int, _ reason: String, at now: ClockReading) {
        guard let entry = entries[line] else { return }
        if links[entry.link].deaths.takes(at: now.monotonic) {
            let what = "a callback is a dead letter: \(entry.call.kind) of \(entry.call.notification)"
            actions.append(.note(.warning, what, link: links[entry.link].label, reason: reason))
        }
        end(line, .dead(attempts: attempts, reason: reason), at: now)
    }

    private mutating func end(_ line: Int64, _ end: CallbackSettlement.End, at now: ClockReading) {
        guard let entry = entries[line] else { return }
        entries[line]?.phase = .leaving
        settlements.append(CallbackSettlement(line: line, callbacks: entry.call.callbacks, end: end, at: now.wall))
    }

    /// Notes that settlements are on disk, or were another node's to write; what could not be written is tried again.
    mutating func settled(
        _ settlements: [CallbackSettlement],
        _ result: Result<[Bool], LedgerError>,
        at now: ClockReading
    ) {
        writes -= settlements.count
        let held: [Bool]
        switch result {
        case .success(let answers): held = answers
        case .failure(let error):
            actions.append(.note(.error, "cannot write what became of callbacks", link: "", reason: "\(error)"))
            unwritten += settlements
            writeAgainAt = now.monotonic.adding(milliseconds: settings.ledgerPause)
            return
        }
        for (settlement, isHeld) in zip(settlements, held) {
            guard let link = entries[settlement.line]?.link else { continue }
            forget(settlement.line)
            guard isHeld else {
                // Its new owner tells the bank; the next page says when to ask again.
                links[link].isSpilled = true
                continue
            }
            switch settlement.end {
            case .later(let due, _): note(link, due: due)
            case .told:
                metrics.count(.told, link: link)
                links[link].isSpilled = true
            case .dead:
                metrics.count(.dead, link: link)
                links[link].isSpilled = true
            }
        }
    }

    /// Answers in the place of a link that broke its word and told nothing.
    mutating func endSilence(at now: ClockReading) {
        let silent = flights.filter { now.monotonic.milliseconds(since: $0.value.began) > settings.longestFlight }.map(
            \.key
        )
        for ticket in silent {
            take(DeliveryReport(ticket: ticket, outcome: .unknown(reason: "the link told no outcome")), at: now)
        }
    }
}
