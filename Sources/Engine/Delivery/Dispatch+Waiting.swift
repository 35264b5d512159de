// SPDX-License-Identifier: Apache-2.0

/// Deliveries in memory that wait for a channel.
extension Dispatch {
    /// Lets go what a channel can take: all, as many as it may be given, or one to probe it with.
    ///
    /// What it may not keep in memory is parked.
    mutating func serveWaiting(_ channel: Int, at now: ClockReading) {
        if channels[channel].isUsable {
            for lane in Queue.Lane.allCases { release(channel, lane, at: now) }
        } else {
            probe(channel, at: now)
        }
        guard !channels[channel].isBrisk(at: now.monotonic, settings) else { return }
        for lane in Queue.Lane.allCases {
            while channels[channel].blocked[lane.rawValue].count > waitingRoom(lane),
                let delivery = popBlocked(channel, lane), let entry = entries[delivery]
            {
                park(delivery, entry, for: channel, now: now)
            }
        }
    }

    private mutating func release(_ channel: Int, _ lane: Queue.Lane, at now: ClockReading) {
        guard !channels[channel].blocked[lane.rawValue].isEmpty else { return }
        var room = channels[channel].room(lane, at: now.monotonic, settings)
        // Without a limit there is nothing to keep a place for.
        let needsLeave = room < .max
        var released: [Int64] = []
        while room > 0, let delivery = popBlocked(channel, lane) {
            if needsLeave {
                entries[delivery]?.leave = channel
                channels[channel].leaves += 1
            }
            released.append(delivery)
            room -= 1
        }
        // Each goes to the front, so the first one goes there last.
        for delivery in released.reversed() { makeReady(delivery, from: .blocked) }
    }

    /// Lets one delivery try a suspended channel whose time has come.
    private mutating func probe(_ channel: Int, at now: ClockReading) {
        guard isProbeWanted(channel), let probe = channels[channel].health.nextProbe, probe <= now.monotonic,
            let delivery = popBlocked(channel, .urgent) ?? popBlocked(channel, .bulk)
        else { return }
        makeReady(delivery, from: .blocked)
        channels[channel].candidate = delivery
    }

    /// Takes the next delivery that waits for a channel.
    private mutating func popBlocked(_ channel: Int, _ lane: Queue.Lane) -> Int64? {
        let entries = entries
        return channels[channel].blocked[lane.rawValue].popFirst { entries[$0]?.phase == .blocked }
    }

    /// Whether something waits for a channel, and nothing is on its way to probe it.
    func isProbeWanted(_ channel: Int) -> Bool {
        let state = channels[channel]
        guard !state.isPaused, !hasCandidate(state) else { return false }
        return state.blocked.contains { !$0.isEmpty }
            || parked.contains { $0.channel == channel && $0.isSpilled && !$0.isLoading }
    }

    /// Whether a delivery is already on its way to probe the channel.
    private func hasCandidate(_ channel: ChannelState) -> Bool {
        guard let candidate = channel.candidate, let phase = entries[candidate]?.phase else { return false }
        return phase == .ready || phase == .resolving
    }
}
