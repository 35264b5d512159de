// SPDX-License-Identifier: Apache-2.0

import Bus
import Collections

/// Decides what is sent when: the windows of both lanes, retries, pauses and ends of one pipeline's deliveries.
///
/// A state machine without I/O, threads or clocks: events go in with the time, actions come out and are carried
/// out by the ``Dispatcher``. What is in a window is in memory only; the ledger holds every delivery's truth, so a
/// crash loses nothing and repeats at most what was under way.
///
/// It hands each event to the part that it is for, and at the end of a turn has each part do what time and room allow.
/// One thread's own.
final class Dispatch {
    /// What happened.
    enum Event: Sendable {
        /// A notification is on disk, with these open deliveries.
        ///
        /// `fallback` is when a text message takes the place of pushes.
        case accepted(OutgoingNotification, [(sequence: Int64, recipient: RecipientID)], fallback: DueTime?)
        /// A phone has a delivery, and the ledger closed it: no text message is to be sent.
        case received(Int64)
        /// The ledger wrote that gateways are about to be asked, or would not.
        case intended(Ticket, Result<[Bool], LedgerError>)
        /// The ledger read what is due in a lane.
        case page(Queue.Lane, Result<DuePage, LedgerError>)
        /// The ledger read what is parked in a queue, by its place among ``Parking/queues``.
        case parkedPage(Int, Result<DuePage, LedgerError>)
        /// The ledger found what expired.
        case overdue(Result<[QueuedDelivery], LedgerError>)
        /// The ledger read recipients' devices.
        case lookedUp(Ticket, Result<[[Subscription]], LedgerError>)
        /// Channels told what became of attempts.
        case reports([DeliveryReport])
        /// The ledger wrote settlements, each where it was this node's to write, or could not.
        case settled(Ticket, Result<[Bool], LedgerError>)
        /// An operator has something tried again that a channel's far end refused.
        case reopened(ChannelID)
        /// The ledger holds deliveries that another node left.
        case reclaimed
        /// An operator stopped a channel or let it go on.
        case pause(ChannelID, Bool)
        /// An operator decided about the verdicts of a channel.
        case decided(ChannelID)
        /// Nothing new is to be begun.
        case drain
        /// A drain waits no longer for answers to pushes, or to text messages either.
        case abandon(sms: Bool)
        /// Somebody wants to know how things are.
        case inspect(@Sendable (DispatchReport) -> Void)
    }

    /// What is to be done.
    enum Action: Sendable {
        case lookUp(Queue.Lane, Ticket, [RecipientID])
        case send(ChannelID, [Delivery])
        case settle(Ticket, [Settlement])
        case intend(Ticket, [Settlement])
        case tokens(InvalidTokenStep, channel: String, InvalidTokenRecord)
        case clearVerdicts([Int64])
        case load(Queue.Lane, limit: Int)
        case loadParked(Int, Queue.Lane, number: Int32, limit: Int)
        case sweep(limit: Int)
        case observe(DeliveryEvent)
        case note(Log.Level, String, channel: String, reason: String)
        case report(DispatchReport, @Sendable (DispatchReport) -> Void)
    }

    let parts: DispatchParts
    let parking: Parking
    let lifecycle: DeliveryLifecycle
    private let tokens: InvalidTokenOutbox
    let escalation: Escalation
    let starts: RoundStart
    let ends: RoundEnd
    let metrics: DeliveryMetrics
    /// Whose answers a drain no longer waits for.
    private var abandoned = AbandonedAttempts.none

    init(
        identity: LedgerIdentity,
        settings: DispatchSettings,
        channels: [ChannelSetup],
        topics: [String: String],
        metrics: DeliveryMetrics,
        parked: [(number: Int32, lane: Queue.Lane)] = [],
        isObserved: Bool
    ) {
        self.metrics = metrics
        let terms = AttemptTerms(identity: identity, timeout: settings.attemptTimeout)
        parts = DispatchParts(settings, terms, channels, parked: parked, isObserved: isObserved)
        tokens = InvalidTokenOutbox()
        lifecycle = DeliveryLifecycle(parts: parts, tokens: tokens)
        parking = Parking(parts: parts, lifecycle: lifecycle)
        escalation = Escalation(parts, lifecycle)
        ends = RoundEnd(parts, lifecycle, escalation)
        starts = RoundStart(parts, lifecycle, ends, escalation, topics: topics)
    }

    /// Whether a drain has come to its end.
    var isDrained: Bool { parts.isDraining && !isAnswerAwaited && parts.outbox.isEmpty }

    /// Whether a drain waits for answers of far ends.
    ///
    /// What is left unanswered is open in the ledger: pushes go out again after the restart under the same ids. A text
    /// message's gateway is never asked twice: there its outcome is unknown (``Escalation/finishLost(_:at:)``).
    private var isAnswerAwaited: Bool {
        switch abandoned {
        case .none: !parts.table.attempts.isEmpty
        case .pushes: parts.table.attempts.contains { $0.device == nil }
        case .all: false
        }
    }

    /// Takes events, then does whatever the time and the room allow; returns what is to be done.
    func handle(_ events: [Event], at now: ClockReading) -> [Action] {
        for event in events { take(event, at: now) }
        ends.concludeAnswered(at: now)
        for gate in parts.gates {
            ends.judgeWaiting(of: gate, at: now)
            gate.settlePace(at: now.monotonic)
        }
        wakeScheduled(at: now)
        for gate in parts.gates { parking.serve(gate, at: now) }
        if !parts.isDraining {
            starts.begin(waitingRoom: parking.room, at: now)
            refill(at: now)
        }
        sweep(at: now)
        return flush()
    }

    /// When there is something to do even if nothing happens.
    ///
    /// Verdicts that wait are judged with the next sweep after their hour.
    func nextWakeUp(after now: MonotonicTime) -> MonotonicTime {
        var next = parts.sweep.next
        if parts.isDraining { return next }
        if let timer = parts.table.timers.next { next = min(next, timer) }
        for lane in parts.lanes { if let due = lane.cursor.nextRead { next = min(next, due) } }
        for gate in parts.gates { if let time = gate.nextWakeUp(after: now) { next = min(next, time) } }
        return max(next, now)
    }

    private func take(_ event: Event, at now: ClockReading) {
        switch event {
        case .accepted(let notification, let deliveries, let fallback):
            let lane: Queue.Lane = notification.notification.isUrgent ? .urgent : .bulk
            parts.tally.queued(lane, deliveries.count)
            parts.lanes[lane.rawValue].admit(notification, deliveries, fallback: fallback.map(now.monotonic))
        case .received(let sequence): received(sequence)
        case .intended(let ticket, let result): escalation.intended(ticket, result, at: now)
        case .page(let lane, let result): load(parts.lanes[lane.rawValue], result, at: now)
        case .parkedPage(let index, let result): parking.take(index, result, at: now)
        case .overdue(let result): expire(result, at: now)
        case .lookedUp(let ticket, let result): starts.take(ticket, result, at: now)
        case .reports(let reports):
            for report in reports { ends.take(Ticket(rawValue: report.ticket), report.outcome, at: now) }
        case .settled(let ticket, let result): settled(ticket, result, at: now)
        case .reopened(let channel): reopened(channel)
        case .reclaimed:
            for lane in parts.lanes { lane.cursor.spill() }
            for queue in parking.queues { queue.cursor.spill() }
        case .pause(let channel, let isPaused): parts.gate(channel)?.pause(isPaused, at: now.monotonic)
        case .decided(let channel): if let gate = parts.gate(channel) { tokens.decided(gate) }
        case .drain: parts.isDraining = true
        case .abandon(let sms): abandoned = sms ? .all : .pushes
        case .inspect(let reply): parts.actions.append(.report(report, reply))
        }
    }

    /// A phone has it, or another node owns it: it is closed here.
    private func received(_ sequence: Int64) {
        if let delivery = parts.table[sequence] { return lifecycle.close(delivery) }
        // PIN codes are urgent.
        parts.tally.queued(.urgent, -1)
        parts.lanes[Queue.Lane.urgent.rawValue].dropLate(sequence)
        for queue in parking.queues { queue.cursor.noteEvicted(sequence) }
        parts.sweep.noteEvicted(sequence)
    }

    /// What a channel is to be asked again is open in the ledger; text messages are urgent.
    private func reopened(_ channel: ChannelID) {
        guard parts.gate(channel) != nil else { return }
        parts.tally.queued(.urgent, 1)
        parts.lanes[Queue.Lane.urgent.rawValue].cursor.spill()
    }

    /// Notes that settlements are on disk, or were another node's to write; what could not be written is tried again.
    private func settled(_ ticket: Ticket, _ result: Result<[Bool], LedgerError>, at now: ClockReading) {
        guard let batch = parts.outbox.take(ticket) else { return }
        switch result {
        case .failure(let error):
            parts.actions.note(.error, "cannot write what became of deliveries", reason: "\(error)")
            parts.outbox.keep(batch)
        case .success(let held):
            for (delivery, isHeld) in zip(batch.subjects, held) {
                // Its new owner does what is left to do, as with one that a phone has.
                if !isHeld { lifecycle.close(delivery) }
                delivery.writes -= 1
                tokens.release(delivery)
                guard delivery.writes == 0 else { continue }
                if delivery.phase == .evicting { lifecycle.forget(delivery) }
                if delivery.marks.contains(.smsHeld) { escalation.begin(delivery, permit: nil, at: now) }
            }
        }
    }

    private func wakeScheduled(at now: ClockReading) {
        while let delivery = parts.table.timers.popDue(at: now.monotonic) {
            switch delivery.phase {
            case .blocked:
                lifecycle.unblock(delivery)
                lifecycle.release(delivery)
            case .attempting: escalation.timeUp(delivery, at: now)
            case .scheduled: parts.lane(of: delivery).makeReady(delivery)
            case .ready, .resolving, .sendingSMS, .evicting: break
            }
        }
    }

    private func flush() -> [Action] {
        tokens.flush(to: parts.actions)
        escalation.flush()
        if let (ticket, settlements) = parts.outbox.flush() { parts.actions.append(.settle(ticket, settlements)) }
        parts.tally.flush(to: metrics)
        return parts.actions.take()
    }
}

/// Whose answers a drain no longer waits for.
enum AbandonedAttempts {
    case none, pushes, all
}
