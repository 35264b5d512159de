// SPDX-License-Identifier: Apache-2.0

import Bus

/// What becomes of addresses that a provider calls dead.
extension Dispatch {
    /// Ends the subscription of an address that is dead, unless the app registered it since; returns whether the
    /// verdict is believed.
    mutating func isRemoved(_ flight: Flight, _ gone: Outcome.Gone, of entry: inout Entry, at now: ClockReading) -> Bool {
        guard let end = verdict(flight, gone, at: now) else { return false }
        if entry.fallback?.phone == nil {
            actions.append(.end([end]))
        } else {
            // The number that a text message goes to may be this subscription's.
            entry.ends.append(end)
            entry.keepsPhone = true
        }
        return true
    }

    /// What a verdict says of an address is to be done at once; `nil` where it waits, or is not believed.
    mutating func verdict(_ flight: Flight, _ gone: Outcome.Gone, at now: ClockReading) -> SubscriptionEnd? {
        guard let device = flight.device else { return nil }
        let label = channels[flight.channel].label
        if gone.isAmbiguous {
            let hour: Int64 = 3_600_000
            guard let last = channels[flight.channel].lastAccepted, now.monotonic.milliseconds(since: last) <= hour else {
                channels[flight.channel].gate.noteVerdict(at: now.monotonic)
                let note = "a token was refused and kept: the channel had no success within the hour"
                actions.append(.note(.warning, note, channel: label, reason: gone.reason))
                return nil
            }
        }
        let end = SubscriptionEnd(
            subscription: device.subscription,
            onlyToken: device.token,
            registeredUntil: gone.since ?? flight.began.wall
        )
        let verdict = DeadAddress(end: end, reason: gone.reason, at: now.wall)
        guard channels[flight.channel].gate.admits(verdict, at: now.monotonic) else { return nil }
        return end
    }

    /// Acts on verdicts that waited, or puts them in quarantine.
    mutating func judgeVerdicts(_ channel: Int, at now: ClockReading) {
        let label = channels[channel].label
        switch channels[channel].gate.judge(at: now.monotonic) {
        case nil: break
        case .believed(let addresses): actions.append(.end(addresses.map(\.end)))
        case .doubted(let addresses, let verdicts, let results):
            actions.append(.quarantine(channel: label, addresses))
            metrics.quarantined(addresses.count, channel: channel)
            let reasons = Set(addresses.map(\.reason)).sorted().prefix(3).joined(separator: "; ")
            let share = "\(verdicts) of the last \(results) results say that an address is dead: \(reasons)"
            let note = "addresses in quarantine, none removed: too many at once; see 'busd quarantine list'"
            actions.append(.note(.error, note, channel: label, reason: share))
        }
    }
}
