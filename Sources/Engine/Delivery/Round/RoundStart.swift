// SPDX-License-Identifier: Apache-2.0

import Bus
import Collections

/// Begins rounds: those whose turn it is have their recipients' devices read, and an attempt goes to each device.
final class RoundStart {
    /// Recipients whose devices are asked for at once: the answers come in pieces that urgent ones can go between.
    private static let lookedUpAtOnce = 512

    private let parts: DispatchParts
    private let lifecycle: DeliveryLifecycle
    private let escalation: Escalation
    private let end: RoundEnd
    /// The topics of apps that have one of their own.
    private let topics: [String: String]
    /// Deliveries whose recipients' devices are being read.
    private var lookups = Slab<[InFlightDelivery]>()
    /// The notification whose damage was told to operators last.
    private var lastDamaged: Int64?

    init(
        _ parts: DispatchParts,
        _ lifecycle: DeliveryLifecycle,
        _ end: RoundEnd,
        _ escalation: Escalation,
        topics: [String: String]
    ) {
        self.parts = parts
        self.lifecycle = lifecycle
        self.end = end
        self.escalation = escalation
        self.topics = topics
    }

    /// Begins as many rounds as may be under way at once, urgent ones first.
    func begin(waitingRoom: (Queue.Lane) -> Int, at now: ClockReading) {
        for window in parts.lanes where !isStuck(window.lane, waitingRoom(window.lane)) {
            var begun: [InFlightDelivery] = []
            let room = room(window)
            while begun.count < room, let delivery = window.popReady() {
                if endEarly(delivery, at: now) { continue }
                delivery.phase = .resolving
                delivery.startedAt = now.monotonic
                window.active += 1
                window.resolving += 1
                begun.append(delivery)
            }
            lookUp(begun, for: window.lane)
            guard window.lane == .bulk, !window.ready.isEmpty else { continue }
            for gate in parts.gates { gate.noteFull() }
        }
    }

    /// Ends what is to have no further round, and stands in no line any more.
    func endEarly(_ delivery: InFlightDelivery, at now: ClockReading) -> Bool {
        guard hasEnded(delivery, at: now) else { return false }
        delivery.phase = .evicting
        if delivery.isLost {
            escalation.finishLost(delivery, at: now)
        } else if delivery.marks.contains(.damaged) {
            finishDamaged(delivery, at: now)
        } else {
            lifecycle.expire(delivery, at: now)
        }
        return true
    }

    private func hasEnded(_ delivery: InFlightDelivery, at now: ClockReading) -> Bool {
        delivery.isLost || delivery.marks.contains(.damaged)
            || !delivery.marks.contains(.rechecked) && delivery.isExpired(at: now.wall)
    }

    /// Ends a delivery whose notification the ledger cannot read: operators and the bank are told, and it never stays
    /// open for ever.
    private func finishDamaged(_ delivery: InFlightDelivery, at now: ClockReading) {
        delivery.round = Round()
        let problem = "what it was to say cannot be read: its row in the store is damaged"
        delivery.round.outcomes = [DeviceOutcome(subscription: nil, channel: nil, problem: problem)]
        // Once for all recipients that follow one another.
        let notification = delivery.notification
        if lastDamaged != notification.sequence {
            lastDamaged = notification.sequence
            let which = "notification \(notification.notification.id), row \(notification.sequence)"
            let what = "a notification's row in the store is damaged: it ends SENDING_FAILED"
            parts.actions.note(.error, what, reason: which)
        }
        lifecycle.expire(delivery, at: now)
    }

    private func lookUp(_ begun: [InFlightDelivery], for lane: Queue.Lane) {
        for start in stride(from: 0, to: begun.count, by: Self.lookedUpAtOnce) {
            let part = Array(begun[start..<min(start + Self.lookedUpAtOnce, begun.count)])
            let recipients = part.map(\.recipient)
            parts.actions.append(.lookUp(lane, lookups.insert(part), recipients))
        }
    }

    /// How many more rounds of a lane may begin: of bulk as many as some channel may have a place for.
    ///
    /// Bulk begins a quarter of a window at a time: one by one, each would cost what many cost together.
    private func room(_ window: LaneWindow) -> Int {
        guard window.lane == .bulk, !parts.gates.isEmpty else { return parts.settings.urgentFlights - window.active }
        var room = -window.resolving
        var windows = 0
        for gate in parts.gates where gate.flow.underWay <= gate.flow.pace.window / 4 * 3 {
            room += gate.flow.pace.window - gate.flow.underWay
            windows += gate.flow.pace.window
        }
        return room >= windows / 4 ? room : 0
    }

    /// Whether no channel can be used and enough waits for them: looking up further devices would only park them.
    private func isStuck(_ lane: Queue.Lane, _ room: Int) -> Bool {
        // What is in the bulk lane never goes to phones.
        guard parts.gates.allSatisfy({ !$0.isUsable || lane == .bulk && $0.phones != nil }) else { return false }
        return parts.gates.reduce(0) { $0 + $1.waiting(lane) } >= room
    }

    /// Sends deliveries whose recipients' devices were read.
    func take(_ ticket: Ticket, _ result: Result<[[Subscription]], LedgerError>, at now: ClockReading) {
        guard let deliveries = lookups.remove(ticket) else { return }
        guard case .success(let found) = result, found.count == deliveries.count else {
            parts.actions.note(.error, "cannot read subscriptions", reason: "\(result)")
            for delivery in deliveries { putOff(delivery, at: now) }
            return
        }
        var plans = [[Delivery]](repeating: [], count: parts.gates.count)
        for (delivery, devices) in zip(deliveries, found) { attempt(delivery, devices, at: now, into: &plans) }
        for (gate, attempts) in zip(parts.gates, plans) where !attempts.isEmpty {
            parts.actions.append(.send(gate.id, attempts))
        }
    }

    private func attempt(
        _ delivery: InFlightDelivery,
        _ devices: [Subscription],
        at now: ClockReading,
        into plans: inout [[Delivery]]
    ) {
        parts.lane(of: delivery).resolving -= 1
        // What the first half of a round that is rechecked came to still counts.
        if !delivery.marks.contains(.rechecked) { delivery.round = Round() }
        delivery.marks.remove(.rechecked)
        let permit = delivery.permit
        lifecycle.returnPermit(of: delivery)
        if delivery.isOver {
            parts.lane(of: delivery).active -= 1
            return lifecycle.letGo(delivery)
        }
        if escalation.choose(delivery, devices, at: now) == .text {
            return escalation.begin(delivery, permit: permit, at: now)
        }
        let isServed = push(delivery, to: devices, permit: permit, at: now, into: &plans)
        delivery.phase = .attempting
        if delivery.underWay > 0 { delivery.attempts += 1 }
        if let limit = delivery.fallback?.limit { parts.table.timers.set(delivery, at: limit) }
        if !isServed, !delivery.devices.hasSettled, !devices.isEmpty { delivery.round.noteUnserved() }
        if delivery.underWay == 0 { end.conclude(delivery, at: now) }
    }

    /// Plans an attempt on each device that is not settled; returns whether a channel serves any of them.
    private func push(
        _ delivery: InFlightDelivery,
        to devices: [Subscription],
        permit: ChannelGate?,
        at now: ClockReading,
        into plans: inout [[Delivery]]
    ) -> Bool {
        var isServed = false
        for place in devices.indices where !delivery.devices.isSettled(devices[place]) {
            let notification = delivery.notification.notification
            guard let gate = parts.gates.first(where: { $0.setup.serves(devices[place], notification) }) else {
                continue
            }
            isServed = true
            guard gate.passes(delivery.lane, permit: permit, at: now.monotonic) else {
                delivery.round.blockedBy = gate
                continue
            }
            delivery.underWay += 1
            plans[gate.row].append(begin(delivery, on: devices[place], over: gate, at: now))
        }
        return isServed
    }

    private func begin(
        _ delivery: InFlightDelivery,
        on subscription: Subscription,
        over gate: ChannelGate,
        at now: ClockReading
    ) -> Delivery {
        let device = Device(
            subscription: subscription.sequence,
            app: subscription.app,
            platform: subscription.platform,
            token: subscription.token,
            registeredAt: subscription.tokenAt,
            topic: topics.isEmpty ? nil : topics[subscription.app]
        )
        gate.begin(at: now.monotonic)
        let sinceSuccess = now.wall.milliseconds(since: subscription.lastSuccess ?? .distantPast)
        let ticket = parts.table.attempts.insert(
            DeliveryAttempt(
                delivery: delivery,
                gate: gate,
                device: device,
                began: now,
                startedAt: delivery.lane == .bulk ? delivery.startedAt : nil,
                notesSuccess: sinceSuccess >= parts.settings.successInterval,
                isHandedOver: true
            )
        )
        return parts.terms.attempt(
            ticket,
            of: delivery,
            to: .device(device),
            fallback: delivery.fallback?.limit,
            at: now
        )
    }

    /// Puts a delivery back for a while after a fault of the ledger's.
    private func putOff(_ delivery: InFlightDelivery, at now: ClockReading) {
        let window = parts.lane(of: delivery)
        window.active -= 1
        window.resolving -= 1
        delivery.phase = .scheduled
        lifecycle.returnPermit(of: delivery)
        parts.table.timers.set(delivery, at: parts.sweepTime(after: now))
    }
}

extension Round {
    /// Notes that no channel is there for any of the recipient's devices.
    fileprivate mutating func noteUnserved() {
        isRejected = true
        let words = "no channel serves the recipient's devices"
        problem = words
        outcomes.append(DeviceOutcome(subscription: nil, channel: nil, problem: words))
    }
}
