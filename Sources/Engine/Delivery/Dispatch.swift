// SPDX-License-Identifier: Apache-2.0

import Bus

/// Decides what is sent when: the windows of both lanes, retries, pauses and ends of one pipeline's deliveries.
///
/// A state machine without I/O, threads or clocks: events go in with the time, actions come out and are carried
/// out by the ``Dispatcher``. What is in a window is in memory only; the ledger holds every delivery's truth, so a
/// crash loses nothing and repeats at most what was under way.
struct Dispatch: Sendable {
    /// What happened.
    enum Event: Sendable {
        /// A notification is on disk, with these open deliveries.
        ///
        /// `fallback` is when a text message takes the place of pushes.
        case accepted(OutgoingNotification, [(sequence: Int64, recipient: RecipientID)], fallback: DueTime?)
        /// A phone has a delivery, and the ledger closed it: no text message is to be sent.
        case received(Int64)
        /// The ledger wrote that gateways are about to be asked, or would not.
        case intended([Int64], Result<[Bool], LedgerError>)
        /// The ledger read what is due in a lane.
        case page(Queue.Lane, Result<DuePage, LedgerError>)
        /// The ledger read what is parked in a queue, by its place among ``Dispatch/parked``.
        case parkedPage(Int, Result<DuePage, LedgerError>)
        /// The ledger found what expired.
        case overdue(Result<[QueuedDelivery], LedgerError>)
        /// The ledger read recipients' devices.
        case resolved([Int64], Result<[[Subscription]], LedgerError>)
        /// Channels told what became of attempts.
        case reports([DeliveryReport])
        /// The ledger wrote settlements, each where it was this node's to write, or could not.
        case settled([Settlement], Result<[Bool], LedgerError>)
        /// An operator has something tried again that a far end refused: a bank's, or one of our channels'.
        case reopened(channel: String)
        /// The ledger holds deliveries that another node left.
        case reclaimed
        /// An operator stopped a channel or let it go on.
        case pause(channel: String, Bool)
        /// An operator decided about the verdicts of a channel.
        case decided(channel: String)
        /// Nothing new is to be begun.
        case drain
        /// A drain waits no longer for answers to pushes, or to text messages either.
        case leave(texts: Bool)
        /// Somebody wants to know how things are.
        case inspect(@Sendable (DispatchReport) -> Void)
    }

    /// What is to be done.
    enum Action: Sendable {
        case resolve(Queue.Lane, [Int64], [RecipientID])
        case send(channel: Int, [PlannedAttempt])
        case settle([Settlement])
        case intend([Settlement])
        case tokens(InvalidTokenStep, channel: String, InvalidTokenRecord)
        case clearVerdicts([Int64])
        case load(Queue.Lane, limit: Int)
        case loadParked(Int, Queue.Lane, number: Int32, limit: Int)
        case sweep(limit: Int)
        case observe(DeliveryEvent)
        case note(Log.Level, String, channel: String, reason: String)
        case report(DispatchReport, @Sendable (DispatchReport) -> Void)
    }

    /// An attempt that a channel is to make.
    struct PlannedAttempt: Sendable {
        let ticket: UInt64
        let delivery: Int64
        let notification: OutgoingNotification
        let address: Address
        /// Until when pushes have the time; `nil` where no text message follows.
        var fallback: MonotonicTime?
    }

    static let sweepLimit = 1_000
    /// Recipients whose devices are asked for at once: the answers come in pieces that urgent ones can go between.
    static let resolvedAtOnce = 512

    let settings: DispatchSettings
    /// The topics of apps that have one of their own.
    let topics: [String: String]
    let isObserved: Bool
    let metrics: DeliveryMetrics
    var lanes = [Lane(), Lane()]
    var entries: [Int64: Entry] = [:]
    var timers = TimerHeap<Int64>()
    var channels: [ChannelState]
    /// Two for each channel, urgent and bulk, then those of channels that are no more.
    var parked: [ParkedQueue]
    var flights: [UInt64: Flight] = [:]
    var lastTicket: UInt64 = 0
    var nextSweep = MonotonicTime.distantPast
    var isSweeping = false
    /// What left memory during a sweep, which may still show it as it was.
    var leftWhileSweeping: Set<Int64> = []
    var isDraining = false
    /// Whose answers a drain no longer waits for.
    var left = LeftFlights.none
    /// The notification whose damage was told to operators last.
    var lastDamaged: Int64?
    /// Settlements on their way to the ledger.
    var writes = 0
    /// Settlements that the ledger could not write, to be tried again.
    var unwritten: [Settlement] = []
    var generator = SystemRandomNumberGenerator()
    var actions: [Action] = []
    var settlements: [Settlement] = []
    /// What is to be written before gateways are asked.
    var intents: [Settlement] = []
    /// Attempts whose intent is being written, by delivery.
    var intended: [Int64: IntendedText] = [:]
    /// What was decided about tokens, in this order.
    var tokenSteps: [(channel: Int, step: InvalidTokenStep)] = []
    /// Subscriptions whose verdicts a success made void.
    var cleared: [Int64] = []

    init(
        settings: DispatchSettings,
        channels: [ChannelState],
        topics: [String: String],
        metrics: DeliveryMetrics,
        parked depths: [(number: Int32, lane: Queue.Lane)] = [],
        isObserved: Bool
    ) {
        self.settings = settings
        self.channels = channels
        self.topics = topics
        self.metrics = metrics
        self.isObserved = isObserved
        for index in channels.indices { self.channels[index].pace = Pace(settings.bulkFlights) }
        parked = Self.queues(of: channels.map(\.label), holding: depths)
    }

    /// Whether a drain has come to its end.
    var isDrained: Bool { isDraining && !isAnswerAwaited && writes == 0 && unwritten.isEmpty }

    /// Takes events, then does whatever the time and the room allow; returns what is to be done.
    mutating func handle(_ events: [Event], at now: ClockReading) -> [Action] {
        var touched: Set<Int64> = []
        for event in events { take(event, at: now, touched: &touched) }
        for delivery in touched { conclude(delivery, at: now) }
        for index in channels.indices {
            judgeTokens(index, at: now)
            channels[index].pace.settle(at: now.monotonic)
        }
        wakeWaiting(at: now)
        for index in channels.indices { serveWaiting(index, at: now) }
        pump(at: now)
        refill(at: now)
        sweep(at: now)
        flush()
        defer { actions = [] }
        return actions
    }

    /// When there is something to do even if nothing happens.
    ///
    /// Verdicts that wait are judged with the next sweep after their hour.
    func nextWakeUp(after now: MonotonicTime) -> MonotonicTime {
        var next = nextSweep
        if isDraining { return next }
        if let timer = timers.next { next = min(next, timer) }
        for lane in lanes { if let due = lane.nextDue, !lane.isLoading { next = min(next, due) } }
        for index in channels.indices where isProbeWanted(index) {
            if let probe = channels[index].health.nextProbe { next = min(next, probe) }
            // The next one that the rate allows; a sweep looks after everything else.
            if channels[index].isUsable, let bucket = channels[index].bucket {
                next = min(next, bucket.next(after: now))
            }
        }
        return max(next, now)
    }

    private mutating func take(_ event: Event, at now: ClockReading, touched: inout Set<Int64>) {
        switch event {
        case .accepted(let notification, let deliveries, let fallback):
            admit(notification, deliveries, fallback, at: now)
        case .received(let delivery): received(delivery)
        case .intended(let deliveries, let result): intended(deliveries, result, at: now)
        case .page(let lane, let result): load(lane, result, at: now)
        case .parkedPage(let index, let result): loadParked(index, result, at: now)
        case .overdue(let result): expire(result, at: now)
        case .resolved(let deliveries, let result): route(deliveries, result, at: now)
        case .reports(let reports): for report in reports { take(report, at: now, touched: &touched) }
        case .settled(let settlements, let result): settled(settlements, result, at: now)
        case .reopened(let channel): reopened(channel)
        case .reclaimed:
            for lane in lanes.indices { lanes[lane].isSpilled = true }
            for queue in parked.indices { parked[queue].isSpilled = true }
        case .pause(let label, let isPaused): pause(label, isPaused, at: now)
        case .decided(let channel): decided(channel)
        case .drain: isDraining = true
        case .leave(let texts): left = texts ? .all : .pushes
        case .inspect(let reply): actions.append(.report(report, reply))
        }
    }

    /// What a channel is to be asked again is open in the ledger; text messages are urgent.
    private mutating func reopened(_ channel: String) {
        guard channels.contains(where: { $0.label == channel }) else { return }
        metrics.queued(.urgent, 1)
        lanes[Queue.Lane.urgent.rawValue].isSpilled = true
    }

    private mutating func pause(_ label: String, _ isPaused: Bool, at now: ClockReading) {
        for index in channels.indices where channels[index].label == label {
            channels[index].isPaused = isPaused
            if !isPaused { channels[index].health.tryNow(at: now.monotonic) }
        }
    }

    /// Gives a delivery its turn, if it still waits where it was put.
    mutating func makeReady(_ delivery: Int64, from phase: Entry.Phase) {
        guard let entry = entries[delivery], entry.phase == phase else { return }
        entries[delivery]?.phase = .ready
        let priority = entry.notification.notification.priority
        if phase == .blocked {
            lanes[entry.lane.rawValue].ready.prepend(delivery, priority: priority)
        } else {
            lanes[entry.lane.rawValue].ready.append(delivery, priority: priority)
        }
    }

    private mutating func wakeWaiting(at now: ClockReading) {
        while let delivery = timers.popDue(at: now.monotonic) {
            switch entries[delivery]?.phase {
            case .blocked, .flying: endPushing(delivery, at: now)
            default: makeReady(delivery, from: .waiting)
            }
        }
    }

    private mutating func flush() {
        flushTokens()
        if !intents.isEmpty {
            actions.append(.intend(intents))
            intents = []
        }
        guard !settlements.isEmpty else { return }
        writes += settlements.count
        actions.append(.settle(settlements))
        settlements = []
    }
}
