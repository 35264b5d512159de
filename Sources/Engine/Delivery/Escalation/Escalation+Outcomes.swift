// SPDX-License-Identifier: Apache-2.0

import Bus

/// What becomes of text messages.
extension Escalation {
    /// Takes what became of a text message.
    func take(_ attempt: DeliveryAttempt, _ outcome: Outcome, at now: ClockReading) {
        let delivery = attempt.delivery
        guard delivery.phase == .sendingSMS else { return }
        let label = attempt.gate.label
        leaveRound(delivery)
        delivery.round = Round()
        switch outcome {
        case .accepted: end(attempt, .taken, delivery.status == .sent ? .sent(channel: label) : nil, at: now)
        case .unknown(let reason): end(attempt, .called, .unknown(channel: label, reason: reason), at: now)
        case .rejected(let reason): end(attempt, .failed, .refused(channel: label, reason: reason), at: now)
        case .gone(let gone): end(attempt, .failed, .refused(channel: label, reason: gone.reason), at: now)
        case .retry(let after, _, let reason):
            delivery.round.note(reason, of: attempt)
            retry(attempt, asked: after, reason, at: now)
        case .unavailable(let reason):
            delivery.round.note(reason, of: attempt)
            delivery.fallback?.notTaken()
            lifecycle.write(delivery, nextAttempt: now.monotonic, at: now)
            lifecycle.block(delivery, by: attempt.gate, at: now)
        }
    }

    private func retry(_ attempt: DeliveryAttempt, asked: Int64?, _ reason: String, at now: ClockReading) {
        let delivery = attempt.delivery
        let wait = parts.retries.wait(after: delivery.attempts, asked: asked)
        delivery.fallback?.notTaken()
        guard delivery.mayRetry, !delivery.isExpired(at: now.wall) else {
            if delivery.notification.notification.isPerishable, delivery.status == .queued {
                delivery.round.outcomes = []
                return end(attempt, .failed, .refused(channel: attempt.gate.label, reason: reason), at: now)
            }
            delivery.round.sms = .due
            return lifecycle.expire(delivery, at: now)
        }
        let time = min(
            now.monotonic.adding(milliseconds: wait),
            now.monotonic(at: delivery.notification.expiresAt)
        )
        lifecycle.reschedule(delivery, at: time, now: now)
    }

    private func end(_ attempt: DeliveryAttempt, _ state: SMSState, _ note: TimelineNote?, at now: ClockReading) {
        let delivery = attempt.delivery
        delivery.round.sms = state
        if let note { delivery.round.notes = [note] }
        // Where a push was taken before, the delivery's channel stays the one that took it.
        if state == .failed || delivery.status == .sent {
            delivery.round.endedBy = attempt.gate
        } else {
            delivery.round.acceptedBy = attempt.gate
        }
        lifecycle.finish(delivery, state == .failed ? .sendingFailed : .sent, at: now)
    }

    /// Ends a delivery whose gateway was asked before the bus stopped: nobody can say whether it has it.
    func finishLost(_ delivery: InFlightDelivery, at now: ClockReading) {
        let gate = phoneGate(for: delivery, permit: nil)
        delivery.round = Round()
        delivery.round.sms = .called
        delivery.round.notes = [
            .unknown(channel: gate?.label ?? "", reason: "the bus stopped while the gateway was asked")
        ]
        if delivery.status == .queued { delivery.round.acceptedBy = gate } else { delivery.round.endedBy = gate }
        lifecycle.finish(delivery, delivery.status == .queued ? .sent : delivery.status, at: now)
    }
}
