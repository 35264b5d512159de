// SPDX-License-Identifier: Apache-2.0

import Bus
import Collections

/// The ways of a delivery out of its round: to its end, to a later attempt, into the line of a channel, out of memory.
struct DeliveryLifecycle {
    let parts: DispatchParts
    let tokens: InvalidTokenOutbox

    /// Ends a delivery; it stays in memory until that is written, so that no page brings it back.
    func finish(_ delivery: InFlightDelivery, _ status: DeliveryStatus, at now: ClockReading) {
        leaveLines(delivery)
        delivery.phase = .evicting
        delivery.marks.insert(.over)
        parts.table.timers.remove(delivery)
        parts.tally.queued(delivery.lane, -1)
        count(delivery, status)
        delivery.status = status
        write(delivery, nextAttempt: nil, at: now)
    }

    /// Ends a delivery whose time has passed.
    func expire(_ delivery: InFlightDelivery, at now: ClockReading) {
        let end = RoundPlan.expired(delivery.status, isDamaged: delivery.marks.contains(.damaged))
        finish(delivery, end, at: now)
    }

    private func count(_ delivery: InFlightDelivery, _ status: DeliveryStatus) {
        let gate = delivery.round.acceptedBy ?? (status == .expired ? nil : delivery.round.endedBy)
        // A push that was followed by nothing is counted since a provider took it.
        if delivery.fallback != nil, gate == nil, delivery.status == .sent { return }
        parts.tally.ended(status, by: gate)
    }

    /// Counts that a provider took a push, which is not the delivery's end.
    func countPush(of delivery: InFlightDelivery) {
        guard let gate = delivery.round.acceptedBy, !delivery.marks.contains(.pushCounted) else { return }
        delivery.marks.insert(.pushCounted)
        parts.tally.ended(.sent, by: gate)
    }

    /// Writes when a delivery is due next, and lets go of it where that is far away.
    ///
    /// What was parked for a channel goes back to the others.
    func reschedule(_ delivery: InFlightDelivery, at time: MonotonicTime, now: ClockReading) {
        let parking: Int32? = delivery.parked == nil ? nil : 0
        write(delivery, nextAttempt: time, parking: parking, at: now)
        ParkedQueue.move(delivery, to: nil)
        if time.milliseconds(since: now.monotonic) <= parts.settings.longestWaitInMemory {
            delivery.phase = .scheduled
            parts.table.timers.set(delivery, at: time)
        } else {
            delivery.phase = .evicting
            parts.table.timers.remove(delivery)
            parts.lane(of: delivery).cursor.noteDue(time)
        }
    }

    /// Has a delivery wait for a channel.
    func block(_ delivery: InFlightDelivery, by gate: ChannelGate, at now: ClockReading) {
        if delivery.isExpired(at: now.wall) { return expire(delivery, at: now) }
        if delivery.round.acceptedBy != nil {
            write(delivery, nextAttempt: now.monotonic, at: now)
            delivery.round.outcomes = []
        }
        if let limit = delivery.fallback?.limit { parts.table.timers.set(delivery, at: limit) }
        gate.wait(delivery)
    }

    /// Gives a delivery that waits for a channel back to the ledger; it leaves memory when that is written.
    func park(_ delivery: InFlightDelivery, for gate: ChannelGate, at now: ClockReading) {
        // That the channel cannot be used is told once in the log, not of a million deliveries.
        delivery.round.outcomes.removeAll { $0.channel == gate.label }
        // Its text message must not wait where only the channel's recovery looks.
        if let limit = delivery.fallback?.limit { return reschedule(delivery, at: limit, now: now) }
        // Due since it came, so that the queue keeps the order.
        let due = now.monotonic(at: min(now.wall, delivery.notification.acceptedAt))
        let queue = gate.parked[delivery.lane.rawValue]
        write(delivery, nextAttempt: due, parking: queue.number, at: now)
        delivery.phase = .evicting
        delivery.marks.insert(.parking)
        ParkedQueue.move(delivery, to: queue)
    }

    /// Closes a delivery that is closed in the ledger: a phone has it, or another node owns it now.
    func close(_ delivery: InFlightDelivery) {
        guard !delivery.isOver else { return }
        parts.tally.queued(delivery.lane, -1)
        delivery.marks.insert(.over)
        switch delivery.phase {
        case .ready, .scheduled, .blocked:
            leaveLines(delivery)
            letGo(delivery)
        case .resolving, .attempting, .sendingSMS, .evicting: returnPermit(of: delivery)
        }
    }

    /// Lets go of a delivery that is closed already and waits for no answer.
    func letGo(_ delivery: InFlightDelivery) {
        parts.table.timers.remove(delivery)
        delivery.phase = .evicting
        if delivery.writes == 0 { forget(delivery) }
    }

    /// Removes a delivery whose end, or next attempt, is written.
    func forget(_ delivery: InFlightDelivery) {
        tokens.release(delivery)
        guard parts.lane(of: delivery).evict(delivery) else { return }
        parts.sweep.noteEvicted(delivery.sequence)
        delivery.parked?.evict(delivery)
        delivery.parked = nil
    }

    /// Ends the permit that a channel gave a delivery.
    func returnPermit(of delivery: InFlightDelivery) {
        guard let gate = delivery.permit else { return }
        gate.takeBack()
        delivery.permit = nil
    }

    /// Takes a delivery out of whatever it waits in.
    private func leaveLines(_ delivery: InFlightDelivery) {
        returnPermit(of: delivery)
        unblock(delivery)
        guard delivery.phase == .ready else { return }
        delivery.phase = .evicting
        parts.lane(of: delivery).lostReady()
    }

    /// Takes a delivery out of the line of a channel.
    func unblock(_ delivery: InFlightDelivery) {
        guard delivery.phase == .blocked else { return }
        delivery.phase = .evicting
        delivery.round.blockedBy?.lostOne(delivery.lane)
    }

    /// Gives a delivery of a channel's line its turn.
    func release(_ delivery: InFlightDelivery) { parts.lane(of: delivery).makeReady(delivery, first: true) }
}
