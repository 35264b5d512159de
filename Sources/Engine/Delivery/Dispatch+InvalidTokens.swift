// SPDX-License-Identifier: Apache-2.0

import Bus

/// What becomes of tokens that a provider calls dead; deliveries never wait for it.
extension Dispatch {
    /// What a verdict on a token came to.
    enum TokenFate {
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

    /// Takes a verdict on the token that an attempt went to.
    mutating func judgeToken(
        _ flight: Flight,
        _ device: Device,
        _ gone: Outcome.Gone,
        at now: ClockReading
    ) -> TokenFate {
        // One that does not count is no good result either.
        if let reason = reasonToKeep(device, gone, of: flight.channel, at: now) { return .kept(reason) }
        let token = InvalidToken(
            end: SubscriptionEnd(
                subscription: device.subscription,
                onlyToken: device.token,
                registeredUntil: gone.since ?? flight.began.wall
            ),
            reason: gone.reason,
            at: now.wall
        )
        switch channels[flight.channel].tokens.rule(on: device.subscription, at: now.due) {
        case .remove: return .remove(token)
        case .wait:
            hold(token, .wait, flight.channel)
            // Not with the end of the batch: a wave comes in one, and what follows is to be doubted.
            judgeTokens(flight.channel, at: now)
            return .wait
        case .quarantine:
            hold(token, .quarantine, flight.channel)
            metrics.quarantined(1, channel: flight.channel)
            return .quarantine
        }
    }

    /// Removes a dead token's subscription; where its number may be the one that a text message goes to, once the
    /// ledger has what depends on it.
    mutating func remove(_ token: InvalidToken, of channel: Int, _ entry: inout Entry) {
        guard entry.fallback?.phone != nil else { return tokenSteps.append((channel, .remove([token]))) }
        entry.removals.append(Removal(channel: channel, token: token))
        entry.keepsPhone = true
    }

    /// A removal that waits for what depends on it.
    struct Removal: Sendable {
        let channel: Int
        let token: InvalidToken
    }

    /// Why a verdict does not count; `nil` where it does.
    private func reasonToKeep(_ device: Device, _ gone: Outcome.Gone, of channel: Int, at now: ClockReading) -> String?
    {
        if let since = gone.since, since < device.registeredAt { return "the app registered it since" }
        guard gone.isAmbiguous else { return nil }
        if let last = channels[channel].lastAccepted,
            now.monotonic.milliseconds(since: last) <= InvalidTokenGuard.hour
        {
            return nil
        }
        return "the channel had no success within the hour"
    }

    /// Gathers verdicts of the same kind, so that a wave is written in few pieces.
    private mutating func hold(_ token: InvalidToken, _ ruling: InvalidTokenGuard.Ruling, _ channel: Int) {
        switch (ruling, tokenSteps.last) {
        case (.wait, (channel, .hold(let tokens))?):
            tokenSteps[tokenSteps.count - 1].step = .hold(tokens + [token])
        case (.quarantine, (channel, .quarantine(let tokens))?) where tokens.count < Self.tokensAtOnce:
            tokenSteps[tokenSteps.count - 1].step = .quarantine(tokens + [token])
        case (.wait, _): tokenSteps.append((channel, .hold([token])))
        default: tokenSteps.append((channel, .quarantine([token])))
        }
    }

    private static var tokensAtOnce: Int { 250 }

    /// Notes a result that is no verdict, and that it clears one.
    mutating func noteResult(_ flight: Flight, isSuccess: Bool, at now: ClockReading) {
        guard let device = flight.device,
            channels[flight.channel].tokens.noteResult(of: device.subscription, isSuccess: isSuccess, at: now.due)
        else { return }
        cleared.append(device.subscription)
    }

    /// Acts on verdicts that waited, or puts the channel in doubt.
    mutating func judgeTokens(_ channel: Int, at now: ClockReading) {
        let label = channels[channel].label
        switch channels[channel].tokens.judge(at: now.due) {
        case nil: break
        case .removeWaiting: tokenSteps.append((channel, .removeHeld))
        case .trust:
            tokenSteps.append((channel, .trust))
            let note = "channel trusted again: for an hour hardly any token was called dead"
            actions.append(.note(.info, note, channel: label, reason: ""))
        case .doubt(let verdicts, let results):
            tokenSteps.append((channel, .doubt))
            let share = "\(verdicts) of \(results) results say that a token is dead"
            let note = "channel in doubt: no subscription is removed; see 'busd quarantine list'"
            actions.append(.note(.error, note, channel: label, reason: share))
        }
    }

    /// An operator decided about a channel's verdicts.
    mutating func decided(_ label: String) {
        for index in channels.indices where channels[index].label == label {
            channels[index].tokens.decide()
            // Verdicts that came after the ledger's part went to a quarantine that nobody looks after any more, and the
            // doubt they were written with must not come back with a restart.
            tokenSteps.append((index, .trust))
        }
    }

    /// Hands on what was decided about tokens.
    mutating func flushTokens() {
        for (channel, step) in tokenSteps {
            actions.append(.tokens(step, channel: channels[channel].label, channels[channel].tokens.record))
        }
        tokenSteps = []
        guard !cleared.isEmpty else { return }
        actions.append(.clearVerdicts(cleared))
        cleared = []
    }

    /// Ends the subscriptions of a delivery's dead tokens, when what depends on them is written.
    mutating func endDead(_ delivery: Int64) {
        guard let removals = entries[delivery]?.removals, !removals.isEmpty else { return }
        entries[delivery]?.removals = []
        for removal in removals { tokenSteps.append((removal.channel, .remove([removal.token]))) }
    }
}
