// SPDX-License-Identifier: Apache-2.0

import Bus

/// What becomes of tokens that a provider calls dead, on its way to the ledger; deliveries never wait for it.
final class InvalidTokenOutbox {
    private static let tokensAtOnce = 250

    /// What was decided, in this order.
    private var steps: [(gate: ChannelGate, step: InvalidTokenStep)] = []
    /// Subscriptions whose verdicts a success made void.
    private var cleared: [Int64] = []

    /// Takes a verdict on the token that an attempt went to.
    func judge(
        _ attempt: DeliveryAttempt,
        _ device: Device,
        _ gone: Outcome.Gone,
        at now: ClockReading
    ) -> InvalidTokenFate {
        let gate = attempt.gate
        // One that does not count is no good result either.
        if let reason = reasonToKeep(device, gone, of: gate, at: now) { return .kept(reason) }
        let token = InvalidToken(
            end: SubscriptionEnd(
                subscription: device.subscription,
                onlyToken: device.token,
                registeredUntil: gone.since ?? attempt.began.wall
            ),
            reason: gone.reason,
            at: now.wall
        )
        switch gate.tokens.rule(on: device.subscription, at: now.due) {
        case .remove: return .remove(token)
        case .wait:
            hold(token, of: gate)
            return .wait
        case .quarantine:
            quarantine(token, of: gate)
            return .quarantine
        }
    }

    /// Why a verdict does not count; `nil` where it does.
    private func reasonToKeep(
        _ device: Device,
        _ gone: Outcome.Gone,
        of gate: ChannelGate,
        at now: ClockReading
    ) -> String? {
        if let since = gone.since, since < device.registeredAt { return "the app registered it since" }
        guard gone.isAmbiguous else { return nil }
        if let last = gate.lastAccepted, now.monotonic.milliseconds(since: last) <= InvalidTokenGuard.hour {
            return nil
        }
        return "the channel had no success within the hour"
    }

    /// Removes a dead token's subscription; where its number may be the one that a text message goes to, once the
    /// ledger has what depends on it.
    func remove(_ token: InvalidToken, of gate: ChannelGate, for delivery: InFlightDelivery?) {
        guard let delivery, delivery.fallback?.phone != nil else { return steps.append((gate, .remove([token]))) }
        delivery.devices.removals.append(PendingRemoval(gate: gate, token: token))
        delivery.devices.keepsPhone = true
    }

    /// Ends the subscriptions of a delivery's dead tokens, when what depends on them is written.
    func release(_ delivery: InFlightDelivery) {
        guard !delivery.devices.removals.isEmpty else { return }
        for removal in delivery.devices.removals { steps.append((removal.gate, .remove([removal.token]))) }
        delivery.devices.removals = []
    }

    /// Notes a result that is no verdict, and that it clears one.
    func noteResult(_ attempt: DeliveryAttempt, isSuccess: Bool, at now: ClockReading) {
        guard let device = attempt.device,
            attempt.gate.tokens.noteResult(of: device.subscription, isSuccess: isSuccess, at: now.due)
        else { return }
        cleared.append(device.subscription)
    }

    /// Acts on verdicts that waited, or puts the channel in doubt.
    func judgeWaiting(of gate: ChannelGate, at now: ClockReading, tell: (Log.Level, String, String) -> Void) {
        switch gate.tokens.judge(at: now.due) {
        case nil: break
        case .removeWaiting: steps.append((gate, .removeHeld))
        case .trust:
            steps.append((gate, .trust))
            tell(.info, "channel trusted again: for an hour hardly any token was called dead", "")
        case .doubt(let verdicts, let results):
            steps.append((gate, .doubt))
            let share = "\(verdicts) of \(results) results say that a token is dead"
            tell(.error, "channel in doubt: no subscription is removed; see 'busd quarantine list'", share)
        }
    }

    /// An operator decided about a channel's verdicts.
    func decided(_ gate: ChannelGate) {
        gate.tokens.decide()
        // Verdicts that came after the ledger's part went to a quarantine that nobody looks after any more, and the
        // doubt they were written with must not come back with a restart.
        steps.append((gate, .trust))
    }

    /// Hands on what was decided.
    func flush(to actions: DispatchActions) {
        for (gate, step) in steps { actions.append(.tokens(step, channel: gate.label, gate.tokens.record)) }
        steps = []
        guard !cleared.isEmpty else { return }
        actions.append(.clearVerdicts(cleared))
        cleared = []
    }

    /// Gathers verdicts that wait, so that a wave is written in few pieces.
    private func hold(_ token: InvalidToken, of gate: ChannelGate) {
        if let last = steps.last, last.gate === gate, case .hold(let tokens) = last.step {
            steps[steps.count - 1].step = .hold(tokens + [token])
        } else {
            steps.append((gate, .hold([token])))
        }
    }

    private func quarantine(_ token: InvalidToken, of gate: ChannelGate) {
        if let last = steps.last, last.gate === gate, case .quarantine(let tokens) = last.step,
            tokens.count < Self.tokensAtOnce
        {
            steps[steps.count - 1].step = .quarantine(tokens + [token])
        } else {
            steps.append((gate, .quarantine([token])))
        }
    }
}

/// What a verdict on a token came to.
enum InvalidTokenFate {
    /// The subscription is to be removed now.
    case remove(InvalidToken)
    /// Its removal waits to be judged.
    case wait
    /// It is quarantined: the channel is in doubt.
    case quarantine
    /// The verdict does not count, for a reason.
    case kept(String)

    /// Whether the device counts as dead as far as its deliveries are concerned.
    var isDead: Bool {
        switch self {
        case .remove, .wait: true
        case .quarantine, .kept: false
        }
    }

    /// What the timeline tells of the subscription.
    var words: String {
        switch self {
        case .remove: "its subscription ended"
        case .wait: "its subscription ends if others' answers bear that out"
        case .quarantine: "its subscription is kept: the channel is in doubt"
        case .kept(let reason): "its subscription is kept: \(reason)"
        }
    }
}
