// SPDX-License-Identifier: Apache-2.0

import Bus

/// What follows from what a bank said.
extension CallbackDispatch {
    func take(_ ticket: Ticket, _ outcome: Outcome, at now: ClockReading) {
        guard let call = calls.remove(ticket) else { return }
        let line = call.line
        line.link.underWay -= 1
        judge(line.link, outcome, of: call.began, at: now)
        switch outcome {
        case .accepted: end(line, .told, at: now)
        case .rejected, .gone: deadLetter(line, line.call.attempts + 1, outcome.reason, at: now)
        case .retry(let after, _, _): retry(line, asked: after, outcome.reason, at: now)
        case .unknown: retry(line, asked: nil, outcome.reason, at: now)
        case .unavailable:
            // Nothing was said of this call: it keeps its turn until the link works.
            line.link.problem = outcome.reason
            line.link.makeReady(line)
        }
    }

    /// Draws from an outcome what it says of the bank.
    private func judge(_ link: LinkWindow, _ outcome: Outcome, of began: MonotonicTime, at now: ClockReading) {
        for line in link.farEnd.take(outcome, to: began, at: now.monotonic) {
            if line.isSuspension { link.problem = outcome.reason }
            note(line.level, line.message, link, line.level == .info ? "" : outcome.reason)
        }
    }

    private func retry(_ line: CallbackLine, asked: Int64?, _ reason: String, at now: ClockReading) {
        let attempts = line.call.attempts + 1
        let last = giveUpTime(line.call)
        line.link.problem = reason
        guard now.due < last else { return deadLetter(line, attempts, reason, at: now) }
        let due = min(now.due.adding(milliseconds: retries.wait(after: attempts, asked: asked)), last)
        metrics.count(.retried, link: line.link.index)
        end(line, .later(due: due, attempts: attempts), at: now)
    }

    /// Gives up what waits in vain for a bank that cannot be told.
    func giveUp(_ link: LinkWindow, at now: ClockReading) {
        guard !link.farEnd.health.isWorking, link.isHeldUp else { return }
        let overdue = lines.elements { line in
            line.link === link && line.phase == .ready && giveUpTime(line.call) <= now.due
        }
        for line in overdue { deadLetter(line, line.call.attempts, link.problem, at: now) }
    }

    private func giveUpTime(_ call: QueuedCallback) -> DueTime { call.since.adding(milliseconds: settings.giveUpAfter) }

    private func deadLetter(_ line: CallbackLine, _ attempts: Int, _ reason: String, at now: ClockReading) {
        if line.link.deadLetters.takes(at: now.monotonic) {
            let what = "a callback is a dead letter: \(line.call.kind) of \(line.call.notification)"
            note(.warning, what, line.link, reason)
        }
        end(line, .dead(attempts: attempts, reason: reason), at: now)
    }

    /// Tells of dead letters that were counted only.
    func tellDeadLetters(of link: LinkWindow, at now: ClockReading) {
        guard let count = link.deadLetters.takeHeld(at: now.monotonic) else { return }
        note(.warning, "callbacks are dead letters: \(count) more", link, link.problem)
    }

    private func end(_ line: CallbackLine, _ end: CallbackSettlement.End, at now: ClockReading) {
        line.phase = .evicting
        let settlement = CallbackSettlement(
            line: line.number,
            callbacks: line.call.callbacks,
            end: end,
            at: now.wall
        )
        outbox.append(settlement, of: line)
    }

    /// Answers in the place of a link that broke its word and told nothing.
    func endSilence(at now: ClockReading) {
        guard !calls.isEmpty else { return }
        let silent = calls.tickets { now.monotonic.milliseconds(since: $0.began) > settings.longestCall }
        for ticket in silent { take(ticket, .unknown(reason: "the link told no outcome"), at: now) }
    }
}
