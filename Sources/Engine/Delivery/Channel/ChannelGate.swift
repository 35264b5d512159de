// SPDX-License-Identifier: Apache-2.0

import Bus

/// What stands between deliveries and one channel: who may pass now, who waits, and what is known of the far end.
///
/// The dispatch thread's own.
final class ChannelGate {
    let setup: ChannelSetup
    /// Its row in the counters.
    let row: Int
    private(set) var farEnd: FarEnd
    private(set) var flow: ChannelFlow
    /// What its verdicts on tokens are worth.
    var tokens: InvalidTokenGuard
    /// What the ledger holds parked for it, urgent and bulk.
    let parked: [ParkedQueue]
    /// Deliveries in memory that wait for it, urgent and bulk.
    private var lines = [WaitingLine(), WaitingLine()]
    /// The delivery that was let go to probe it.
    private var probe: InFlightDelivery?
    /// When the far end last took something.
    private(set) var lastAccepted: MonotonicTime?

    init(_ setup: ChannelSetup, row: Int, parking number: Int32, settings: DispatchSettings) {
        self.setup = setup
        self.row = row
        tokens = setup.tokens
        farEnd = FarEnd(setup.phones == nil ? .channel : .phoneChannel, isPaused: setup.isPaused)
        flow = ChannelFlow(rate: setup.rate, settings: settings)
        parked = Queue.Lane.allCases.map { ParkedQueue(number: number, lane: $0) }
    }

    var id: ChannelID { setup.id }
    var label: String { setup.id.label }
    var phones: PhoneRoute? { setup.phones }
    var isUsable: Bool { farEnd.isUsable }

    /// How many of a lane wait for it in memory.
    func waiting(_ lane: Queue.Lane) -> Int { lines[lane.rawValue].count }
    /// How many wait for it in memory.
    var waiting: Int { lines.reduce(0) { $0 + $1.count } }

    /// Whether what waits for it may fill a window: it will go on in a moment.
    func isBrisk(at now: MonotonicTime) -> Bool { isUsable && flow.isBrisk(at: now) }

    /// How many more deliveries it may be given now; `.max` without a limit.
    func room(_ lane: Queue.Lane, at now: MonotonicTime) -> Int { isUsable ? flow.room(lane, at: now) : 0 }

    /// Whether it takes one more: what waits for it goes first, unless it is less urgent.
    func admits(_ lane: Queue.Lane, at now: MonotonicTime) -> Bool {
        guard isUsable else { return farEnd.admits(at: now) }
        guard lines[0].isEmpty, lane == .urgent || lines[1].isEmpty else { return false }
        return flow.room(lane, at: now) > 0
    }

    /// Whether one that may have a permit passes: with it at once, without it where there is room.
    func passes(_ lane: Queue.Lane, permit: ChannelGate?, at now: MonotonicTime) -> Bool {
        permit === self && isUsable || admits(lane, at: now)
    }

    /// Gives a delivery a permit: a place is kept for it until its round begins.
    func grant(_ delivery: InFlightDelivery) {
        delivery.permit = self
        flow.permit(1)
    }

    /// Takes a permit back, used or not.
    func takeBack() { flow.permit(-1) }

    /// Notes that an attempt begins.
    func begin(at now: MonotonicTime) { flow.begin(at: now) }

    /// Notes what became of an attempt; returns what operators are to be told.
    func end(_ attempt: DeliveryAttempt, _ outcome: Outcome, at now: MonotonicTime) -> [FarEnd.Note] {
        flow.end(isAnswer: outcome.isAnswer, startedAt: attempt.startedAt, at: now)
        if outcome == .accepted { lastAccepted = now }
        return farEnd.take(outcome, to: attempt.began.monotonic, at: now)
    }

    /// Takes back an attempt that was not made.
    func withdraw(at now: MonotonicTime) {
        flow.end(isAnswer: false, at: now)
        farEnd.withdraw(at: now)
    }

    /// Ends a round of its pace.
    func settlePace(at now: MonotonicTime) { flow.pace.settle(at: now) }

    /// Notes that more bulk would have gone but for its window.
    func noteFull() { flow.pace.noteFull() }

    func pause(_ isPaused: Bool, at now: MonotonicTime) { farEnd.pause(isPaused, at: now) }

    /// Has a delivery wait for it.
    func wait(_ delivery: InFlightDelivery) {
        delivery.phase = .blocked
        delivery.round.blockedBy = self
        lines[delivery.lane.rawValue].append(delivery)
    }

    /// Notes that one of a lane waits no longer.
    func lostOne(_ lane: Queue.Lane) { lines[lane.rawValue].lostOne(of: self) }

    /// Takes the next that waits.
    func popWaiting(_ lane: Queue.Lane) -> InFlightDelivery? { lines[lane.rawValue].popFirst(for: self) }

    /// Takes one that is to probe it, where that is wanted and its time has come.
    func popProbe(at now: MonotonicTime) -> InFlightDelivery? {
        guard isProbeDue(at: now), let delivery = popWaiting(.urgent) ?? popWaiting(.bulk) else { return nil }
        probe = delivery
        return delivery
    }

    /// Whether it is time for a probe, and something is there to be one.
    func isProbeDue(at now: MonotonicTime) -> Bool {
        guard isProbeWanted, let next = farEnd.health.nextProbe else { return false }
        return next <= now
    }

    /// When it wants to be looked after though nothing happens; `nil` for never.
    func nextWakeUp(after now: MonotonicTime) -> MonotonicTime? {
        let next = isProbeWanted ? farEnd.health.nextProbe : nil
        // The next one that the rate allows; a sweep looks after everything else.
        guard isUsable, let time = flow.nextByRate(after: now) else { return next }
        return min(next ?? .distantFuture, time)
    }

    /// Whether something waits for it, and nothing is on its way to probe it.
    private var isProbeWanted: Bool {
        guard !farEnd.isPaused, !hasProbe else { return false }
        return lines.contains { !$0.isEmpty } || parked.contains { $0.cursor.isSpilled && !$0.cursor.isLoading }
    }

    private var hasProbe: Bool {
        guard let phase = probe?.phase else { return false }
        return phase == .ready || phase == .resolving
    }
}

extension Outcome {
    /// Whether the far end answered as it should, whatever it said.
    fileprivate var isAnswer: Bool {
        switch self {
        case .accepted, .rejected, .gone, .retry(_, .delivery, _): true
        case .retry(_, .provider, _), .unavailable, .unknown: false
        }
    }
}
