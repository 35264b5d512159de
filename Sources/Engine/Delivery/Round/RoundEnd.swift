// SPDX-License-Identifier: Apache-2.0

import Bus

/// Takes answers to attempts, and does what follows from a round when the last is there.
final class RoundEnd {
    let parts: DispatchParts
    let lifecycle: DeliveryLifecycle
    private let escalation: Escalation
    let tokens: InvalidTokenOutbox
    /// Deliveries that had an answer in this turn.
    private var answered: [InFlightDelivery] = []

    init(_ parts: DispatchParts, _ lifecycle: DeliveryLifecycle, _ escalation: Escalation) {
        self.parts = parts
        self.lifecycle = lifecycle
        self.escalation = escalation
        tokens = lifecycle.tokens
    }

    /// Takes what became of one attempt; its round is summed up at the end of the turn.
    func take(_ ticket: Ticket, _ outcome: Outcome, at now: ClockReading) {
        guard let attempt = parts.table.attempts.remove(ticket) else { return }
        let gate = attempt.gate
        parts.tally.pushed(outcome, by: gate)
        let notes = gate.end(attempt, outcome, at: now.monotonic)
        if !notes.isEmpty { parts.actions.note(notes, gate.id, reason: outcome.reason) }
        noteResult(attempt, outcome, at: now)
        guard let device = attempt.device else { return escalation.take(attempt, outcome, at: now) }
        let delivery = attempt.delivery
        delivery.underWay -= 1
        guard delivery.phase == .attempting else { return takeLate(attempt, device, outcome, at: now) }
        note(outcome, of: attempt, device, at: now)
        guard !delivery.marks.contains(.answered) else { return }
        delivery.marks.insert(.answered)
        answered.append(delivery)
    }

    /// Sums up the rounds that had answers.
    func concludeAnswered(at now: ClockReading) {
        guard !answered.isEmpty else { return }
        for delivery in answered {
            delivery.marks.remove(.answered)
            conclude(delivery, at: now)
        }
        answered.removeAll(keepingCapacity: true)
    }

    /// Answers in the place of channels that broke their word and told nothing.
    func endSilence(at now: ClockReading) {
        let longest = parts.settings.attemptTimeout + 10_000
        let silent = parts.table.attempts.tickets {
            $0.isHandedOver && now.monotonic.milliseconds(since: $0.began.monotonic) > longest
        }
        for ticket in silent { take(ticket, .unknown(reason: "the channel told no outcome"), at: now) }
        concludeAnswered(at: now)
    }

    /// Draws the sum of a round: the delivery ends, goes on later, or waits for a channel.
    func conclude(_ delivery: InFlightDelivery, at now: ClockReading) {
        guard delivery.phase == .attempting else { return }
        if delivery.round.acceptedBy != nil { delivery.status = .sent }
        delivery.devices.settled += delivery.round.settled
        guard delivery.underWay == 0 else { return writePart(of: delivery, at: now) }
        let facts = facts(of: delivery, at: now)
        switch RoundPlan.disposition(facts, &delivery.fallback, at: now.monotonic) {
        case .letGo:
            leaveRound(delivery)
            lifecycle.letGo(delivery)
        case .recheck:
            leaveRound(delivery)
            recheck(delivery)
        case .escalate: escalation.begin(delivery, permit: nil, at: now)
        case .awaitReceipt:
            leaveRound(delivery)
            lifecycle.countPush(of: delivery)
            lifecycle.reschedule(delivery, at: delivery.fallback?.time ?? now.monotonic, now: now)
        case .retry:
            goOn(delivery)
            lifecycle.reschedule(delivery, at: retryTime(of: delivery, at: now), now: now)
        case .wait:
            goOn(delivery)
            if let gate = delivery.round.blockedBy { lifecycle.block(delivery, by: gate, at: now) }
        case .finish(let status):
            goOn(delivery)
            lifecycle.finish(delivery, status, at: now)
        }
    }

    private func leaveRound(_ delivery: InFlightDelivery) { parts.lane(of: delivery).active -= 1 }

    private func goOn(_ delivery: InFlightDelivery) {
        leaveRound(delivery)
        if delivery.fallback?.limit != nil { lifecycle.countPush(of: delivery) }
    }

    /// One device has it and another has not answered: what is known is written now.
    private func writePart(of delivery: InFlightDelivery, at now: ClockReading) {
        if delivery.round.acceptedBy != nil, !delivery.round.settled.isEmpty {
            lifecycle.write(delivery, nextAttempt: now.monotonic, at: now)
            delivery.round.outcomes = []
            delivery.round.acceptedOn = nil
        }
        delivery.round.settled = []
    }

    private func facts(of delivery: InFlightDelivery, at now: ClockReading) -> RoundPlan.Facts {
        let notification = delivery.notification
        let end = NotificationTime.end(accepted: notification.acceptedAt, expires: notification.expiresAt)
        return RoundPlan.Facts(
            status: delivery.status,
            isOver: delivery.isOver,
            hasDied: delivery.round.hasDied,
            isRejected: delivery.round.isRejected,
            isAmbiguous: delivery.round.isAmbiguous,
            wantsRetry: delivery.round.retryAt != nil,
            isBlocked: delivery.round.blockedBy != nil,
            mayRetry: delivery.mayRetry,
            isPerishable: notification.notification.isPerishable,
            isExpired: delivery.isExpired(at: now.wall),
            mayRecheck: !parts.isDraining && now.wall < end,
            problem: delivery.round.problem
        )
    }

    private func recheck(_ delivery: InFlightDelivery) {
        delivery.marks.insert(.rechecked)
        delivery.round.hasDied = false
        delivery.round.settled = []
        parts.lane(of: delivery).makeReady(delivery, first: true)
    }

    private func retryTime(of delivery: InFlightDelivery, at now: ClockReading) -> MonotonicTime {
        let end = min(now.monotonic(at: delivery.notification.expiresAt), delivery.fallback?.limit ?? .distantFuture)
        return min(delivery.round.retryAt ?? now.monotonic, end)
    }
}
