// SPDX-License-Identifier: Apache-2.0

import Bus
import Collections

/// The way of a PIN code from pushes to one text message, so that the ledger knows of it before a gateway does.
final class Escalation {
    let parts: DispatchParts
    let lifecycle: DeliveryLifecycle
    /// What is to be written before gateways are asked.
    private var intents = SettlementOutbox<Settlement, IntendedSMS>()

    init(_ parts: DispatchParts, _ lifecycle: DeliveryLifecycle) {
        self.parts = parts
        self.lifecycle = lifecycle
    }

    /// Says whether a delivery whose devices were just read pushes, or sends a text message.
    func choose(_ delivery: InFlightDelivery, _ devices: [Subscription], at now: ClockReading) -> Fallback.Choice {
        guard delivery.fallback != nil else { return .push }
        let notification = delivery.notification.notification
        let hasRoute = parts.gates.contains { $0.phones?.carries(notification) == true }
        let isServed = devices.contains { device in
            !delivery.devices.isSettled(device) && parts.gates.contains { $0.setup.serves(device, notification) }
        }
        let problem = devices.isEmpty ? nil : "no channel serves the recipient's devices"
        let known = delivery.fallback?.phone
        return delivery.fallback?.choose(
            phone: hasRoute ? notification.phone(among: devices) ?? known : nil,
            hasDevice: isServed,
            isTaken: delivery.status == .sent,
            problem: delivery.devices.hasSettled ? delivery.round.problem ?? "no device took it" : problem,
            at: now.monotonic
        ) ?? .push
    }

    /// The time of pushes is over for a delivery that waits for answers.
    func timeUp(_ delivery: InFlightDelivery, at now: ClockReading) {
        guard !parts.isDraining, !delivery.isOver,
            delivery.fallback?.timeUp(isTaken: delivery.status == .sent, at: now.monotonic) == true
        else { return }
        begin(delivery, permit: nil, at: now)
    }

    /// Hands a delivery that is under way over to a channel for phones.
    func begin(_ delivery: InFlightDelivery, permit: ChannelGate?, at now: ClockReading) {
        guard let phone = delivery.fallback?.phone else { return }
        parts.table.timers.remove(delivery)
        delivery.marks.remove(.smsHeld)
        delivery.phase = .sendingSMS
        if delivery.isOver {
            leaveRound(delivery)
            return lifecycle.letGo(delivery)
        }
        if parts.isDraining {
            leaveRound(delivery)
            lifecycle.countPush(of: delivery)
            return lifecycle.reschedule(delivery, at: now.monotonic, now: now)
        }
        guard delivery.writes == 0 else {
            delivery.marks.insert(.smsHeld)
            return
        }
        guard let gate = phoneGate(for: delivery, permit: permit) else { return }
        guard gate.passes(delivery.lane, permit: permit, at: now.monotonic) else {
            leaveRound(delivery)
            return wait(delivery, for: gate, at: now)
        }
        intend(delivery, to: phone, over: gate, at: now)
    }

    func leaveRound(_ delivery: InFlightDelivery) { parts.lane(of: delivery).active -= 1 }

    /// The channel that gave it a permit, else the first one that can be used, else the first one.
    func phoneGate(for delivery: InFlightDelivery, permit: ChannelGate?) -> ChannelGate? {
        let notification = delivery.notification.notification
        let carriers = parts.gates.filter { $0.phones?.carries(notification) == true }
        return carriers.first { $0 === permit } ?? carriers.first { $0.isUsable } ?? carriers.first
    }

    /// Has a text message wait for its channel; that there are no more pushes is written once.
    private func wait(_ delivery: InFlightDelivery, for gate: ChannelGate, at now: ClockReading) {
        lifecycle.countPush(of: delivery)
        if !delivery.marks.contains(.dueWritten), !delivery.isExpired(at: now.wall) {
            delivery.round.outcomes = []
            lifecycle.write(delivery, nextAttempt: now.monotonic, at: now)
        }
        delivery.round = Round()
        lifecycle.block(delivery, by: gate, at: now)
    }

    private func intend(
        _ delivery: InFlightDelivery,
        to phone: String,
        over gate: ChannelGate,
        at now: ClockReading
    ) {
        let reason = delivery.fallback?.ask()
        delivery.attempts += 1
        gate.begin(at: now.monotonic)
        let ticket = parts.table.attempts.insert(
            DeliveryAttempt(
                delivery: delivery,
                gate: gate,
                device: nil,
                began: now,
                startedAt: nil,
                notesSuccess: false,
                isHandedOver: false
            )
        )
        lifecycle.countPush(of: delivery)
        intents.append(
            intent(of: delivery, over: gate, reason: reason, at: now),
            of: IntendedSMS(delivery: delivery, gate: gate, ticket: ticket, phone: phone, reason: reason)
        )
        ParkedQueue.move(delivery, to: nil)
    }

    private func intent(
        of delivery: InFlightDelivery,
        over gate: ChannelGate,
        reason: String?,
        at now: ClockReading
    ) -> Settlement {
        Settlement(
            delivery: delivery.sequence,
            status: delivery.status,
            at: now.wall,
            nextAttempt: now.due,
            attempts: delivery.attempts,
            channel: delivery.round.acceptedBy?.label,
            device: delivery.round.acceptedOn,
            finishedDevices: delivery.devices.written,
            successOf: delivery.round.successOf,
            parking: delivery.parked == nil ? nil : 0,
            outcomes: delivery.round.outcomes,
            sms: .called,
            notes: reason.map { [.fallback(channel: gate.label, reason: $0)] } ?? []
        )
    }

    /// Hands on the intents of this turn.
    func flush() {
        guard let (ticket, settlements) = intents.flush() else { return }
        parts.actions.append(.intend(ticket, settlements))
    }

    /// Asks the gateways whose intent is written; where it could not be, or was too late, they never hear of it.
    func intended(_ ticket: Ticket, _ result: Result<[Bool], LedgerError>, at now: ClockReading) {
        guard let batch = intents.take(ticket) else { return }
        switch result {
        case .failure(let error):
            parts.actions.note(.error, "cannot write what text messages are sent", reason: "\(error)")
            for sms in batch.subjects { putOff(sms, at: now) }
        case .success(let written):
            var plans = [[Delivery]](repeating: [], count: parts.gates.count)
            for (sms, isWritten) in zip(batch.subjects, written) {
                lifecycle.tokens.release(sms.delivery)
                if isWritten, !sms.delivery.isExpired(at: now.wall) {
                    parts.table.attempts.update(sms.ticket) { $0.isHandedOver = true }
                    plans[sms.gate.row].append(
                        parts.terms.attempt(sms.ticket, of: sms.delivery, to: .phone(sms.phone), at: now)
                    )
                } else {
                    drop(sms, isWritten: isWritten, at: now)
                }
            }
            for (gate, attempts) in zip(parts.gates, plans) where !attempts.isEmpty {
                parts.actions.append(.send(gate.id, attempts))
            }
        }
    }

    /// Tries again soon to write an intent.
    private func putOff(_ sms: IntendedSMS, at now: ClockReading) {
        withdraw(sms, at: now)
        sms.delivery.phase = .scheduled
        parts.table.timers.set(sms.delivery, at: parts.sweepTime(after: now))
    }

    /// Ends what is too late: its time has passed, or it is closed already.
    private func drop(_ sms: IntendedSMS, isWritten: Bool, at now: ClockReading) {
        let delivery = sms.delivery
        withdraw(sms, at: now)
        if isWritten {
            delivery.round.sms = .due
            return lifecycle.expire(delivery, at: now)
        }
        if !delivery.isOver { parts.tally.queued(delivery.lane, -1) }
        delivery.marks.insert(.over)
        lifecycle.letGo(delivery)
    }

    private func withdraw(_ sms: IntendedSMS, at now: ClockReading) {
        _ = parts.table.attempts.remove(sms.ticket)
        sms.gate.withdraw(at: now.monotonic)
        leaveRound(sms.delivery)
        sms.delivery.fallback?.notTaken(reason: sms.reason)
        sms.delivery.round = Round()
    }
}
