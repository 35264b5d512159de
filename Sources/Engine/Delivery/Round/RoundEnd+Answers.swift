// SPDX-License-Identifier: Apache-2.0

import Bus

/// What single answers come to.
extension RoundEnd {
    /// Notes what became of an attempt on one device in its round.
    func note(_ outcome: Outcome, of attempt: DeliveryAttempt, _ device: Device, at now: ClockReading) {
        let delivery = attempt.delivery
        switch outcome {
        case .accepted: accept(attempt, device)
        case .rejected(let reason):
            delivery.round.isRejected = true
            delivery.round.endedBy = attempt.gate
            delivery.round.settled.append(device.subscription)
            delivery.round.note(reason, of: attempt)
        case .gone(let gone): takeVerdict(gone, on: device, of: attempt, at: now)
        case .retry(let after, _, let reason):
            delivery.round.retry(at: now.monotonic.adding(milliseconds: wait(after: delivery.attempts, asked: after)))
            delivery.round.note(reason, of: attempt)
        case .unknown(let reason):
            delivery.round.isAmbiguous = true
            delivery.round.retry(at: now.monotonic.adding(milliseconds: wait(after: delivery.attempts)))
            delivery.round.note(reason, of: attempt)
        case .unavailable(let reason):
            delivery.round.blockedBy = attempt.gate
            delivery.round.note(reason, of: attempt)
        }
    }

    /// Notes that a provider took it: the first success is the delivery's own, others are told beside it.
    private func accept(_ attempt: DeliveryAttempt, _ device: Device) {
        let delivery = attempt.delivery
        let isFirst = delivery.status == .queued && delivery.round.acceptedBy == nil
        delivery.round.settled.append(device.subscription)
        if attempt.notesSuccess { delivery.round.successOf = device.subscription }
        if delivery.round.acceptedBy == nil { delivery.round.acceptedBy = attempt.gate }
        if isFirst {
            delivery.round.acceptedOn = device.subscription
        } else {
            let outcome = DeviceOutcome(subscription: device.subscription, channel: attempt.gate.label, problem: nil)
            delivery.round.outcomes.append(outcome)
        }
    }

    private func takeVerdict(_ gone: Outcome.Gone, on device: Device, of attempt: DeliveryAttempt, at now: ClockReading)
    {
        let delivery = attempt.delivery
        let fate = judge(gone, on: device, of: attempt, at: now)
        delivery.round.endedBy = attempt.gate
        delivery.round.hasDied = true
        delivery.devices.deadTokens[device.subscription] = device.token
        delivery.round.note(gone.reason, of: attempt, then: fate.words)
        if case .remove(let token) = fate { tokens.remove(token, of: attempt.gate, for: delivery) }
        // A token that is kept is not invalid: nobody can say more than that this did not work.
        if !fate.isDead { delivery.round.isRejected = true }
    }

    /// Takes an answer to a push that nobody waits for any more: a text message took its place, or a receipt came
    /// first.
    func takeLate(_ attempt: DeliveryAttempt, _ device: Device, _ outcome: Outcome, at now: ClockReading) {
        let delivery = attempt.delivery
        let isInMemory = parts.table[delivery.sequence] === delivery
        switch outcome {
        case .accepted, .rejected: delivery.devices.settled.append(device.subscription)
        case .gone(let gone):
            delivery.devices.deadTokens[device.subscription] = device.token
            guard case .remove(let token) = judge(gone, on: device, of: attempt, at: now) else { break }
            tokens.remove(token, of: attempt.gate, for: isInMemory ? delivery : nil)
        case .retry, .unknown, .unavailable: break
        }
        if isInMemory, outcome == .accepted { noteLatePush(attempt, device, at: now) }
    }

    /// Writes that a provider took a push while a text message is under way, or waits for its gateway.
    private func noteLatePush(_ attempt: DeliveryAttempt, _ device: Device, at now: ClockReading) {
        let delivery = attempt.delivery
        guard delivery.status == .queued, delivery.phase != .evicting, !delivery.isOver else { return }
        delivery.status = .sent
        delivery.marks.insert(.pushCounted)
        parts.tally.ended(.sent, by: attempt.gate)
        // The round may be a text message's by now.
        let round = delivery.round
        delivery.round = Round()
        delivery.round.acceptedBy = attempt.gate
        delivery.round.acceptedOn = device.subscription
        lifecycle.write(delivery, nextAttempt: now.monotonic, at: now)
        delivery.round = round
    }

    private func judge(
        _ gone: Outcome.Gone,
        on device: Device,
        of attempt: DeliveryAttempt,
        at now: ClockReading
    ) -> InvalidTokenFate {
        let fate = tokens.judge(attempt, device, gone, at: now)
        switch fate {
        // Not with the end of the batch: a wave comes in one, and what follows is to be doubted.
        case .wait: judgeWaiting(of: attempt.gate, at: now)
        case .quarantine: parts.tally.quarantined(by: attempt.gate)
        case .remove, .kept: break
        }
        return fate
    }

    /// Acts on verdicts that waited, or puts the channel in doubt.
    func judgeWaiting(of gate: ChannelGate, at now: ClockReading) {
        tokens.judgeWaiting(of: gate, at: now) { level, message, reason in
            parts.actions.note(level, message, gate.id, reason: reason)
        }
    }

    /// Notes what an answer says of a channel's verdicts.
    func noteResult(_ attempt: DeliveryAttempt, _ outcome: Outcome, at now: ClockReading) {
        switch outcome {
        case .accepted: tokens.noteResult(attempt, isSuccess: true, at: now)
        case .rejected, .retry(_, .delivery, _): tokens.noteResult(attempt, isSuccess: false, at: now)
        case .gone, .retry(_, .provider, _), .unavailable, .unknown: break
        }
    }

    private func wait(after attempts: Int, asked: Int64? = nil) -> Int64 {
        parts.retries.wait(after: attempts, asked: asked)
    }
}

extension Round {
    /// Notes what went wrong on one device, and what follows for its subscription.
    mutating func note(_ reason: String, of attempt: DeliveryAttempt, then words: String? = nil) {
        let label = attempt.gate.label
        problem = "\(label): \(reason)"
        outcomes.append(
            DeviceOutcome(
                subscription: attempt.device?.subscription,
                channel: label,
                problem: words.map { "\(reason); \($0)" } ?? reason
            )
        )
    }

    /// Notes that a device wants to be tried again.
    fileprivate mutating func retry(at time: MonotonicTime) { retryAt = min(retryAt ?? .distantFuture, time) }
}
