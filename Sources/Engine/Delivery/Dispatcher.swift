// SPDX-License-Identifier: Apache-2.0

public import Bus
import Threads

/// Runs a pipeline's deliveries: a thread that feeds a ``Dispatch`` and does what it says.
///
/// Events come from the ledger's threads, the channels' loops and the intake; each is a post to a mailbox. Nothing
/// blocks the thread but the wait for the next event or the next time something is due.
public final class Dispatcher: DeliverySink {
    private let pipeline: PipelineNumber
    private let ledger: any DispatchLedger
    private let channels: [ChannelID: any OutboundChannel]
    private let log: Log
    private let observer: (@Sendable (DeliveryEvent) -> Void)?
    private let settings: DispatchSettings
    private let subscriptionEnds: SubscriptionEnds
    private let events = Mailbox<Dispatch.Event>(capacity: 1 << 20)
    private let drained = Gate()
    private let feed: ChunkFeed
    /// The pipeline's counters.
    public let metrics: DeliveryMetrics

    /// Creates a dispatcher over channels in the order of preference; nothing moves until it is started.
    init(
        pipeline: PipelineNumber,
        ledger: any DispatchLedger,
        channels: [ChannelID: any OutboundChannel],
        metrics: DeliveryMetrics,
        settings: DispatchSettings,
        subscriptionEnds: SubscriptionEnds,
        log: Log,
        observer: (@Sendable (DeliveryEvent) -> Void)?
    ) {
        self.pipeline = pipeline
        self.ledger = ledger
        self.channels = channels
        self.metrics = metrics
        self.settings = settings
        self.subscriptionEnds = subscriptionEnds
        self.log = log
        self.observer = observer
        feed = ChunkFeed(pipeline, ledger)
    }

    /// Begins to deliver what the ledger holds, and all that is accepted from now on.
    func start(
        channels setups: [ChannelSetup],
        topics: [String: String],
        parked: [(number: Int32, lane: Queue.Lane)]
    ) {
        _ = NamedThread("busd-dispatch") { [self] in
            run(
                Dispatch(
                    identity: ledger.identity,
                    settings: settings,
                    channels: setups,
                    topics: topics,
                    metrics: metrics,
                    parked: parked,
                    isObserved: observer != nil
                )
            )
        }
    }

    /// Takes what was just committed, all of a transaction at once; only open deliveries are work.
    public func accepted(_ notifications: [AcceptedNotification]) {
        events.postAlways(contentsOf: notifications.compactMap(\.event))
        // Counted while they waited; afterwards, so that the depth is never too small.
        for part in notifications where part.wasWaiting { metrics.queued(part.lane, -part.openCount) }
    }

    /// Takes that recipients wait in chunks, or wait no longer.
    func waiting(_ lane: Queue.Lane, _ change: Int) {
        metrics.queued(lane, change)
        feed.arrived(lane)
    }

    /// Takes that a receipt closed a delivery.
    func received(_ delivery: Int64) { events.postAlways(.received(delivery)) }

    /// Takes the channels' outcomes.
    public func report(_ reports: [DeliveryReport]) { events.postAlways(.reports(reports)) }

    /// Looks in the ledger for what an operator has a channel asked again.
    public func reopened(_ channel: String) { events.postAlways(.reopened(ChannelID(channel))) }

    /// Looks in the ledger for what another node left.
    func reclaimed() { events.postAlways(.reclaimed) }

    /// Stops a channel by its name, or lets it go on.
    public func pause(_ channel: String, _ isPaused: Bool) { events.postAlways(.pause(ChannelID(channel), isPaused)) }

    /// Takes that an operator decided about a channel's verdicts on tokens.
    func decided(_ channel: String) { events.postAlways(.decided(ChannelID(channel))) }

    /// How things are.
    public func inspect() async -> DispatchReport? {
        await withCheckedContinuation { continuation in
            let isOpen = events.postAlways(.inspect { continuation.resume(returning: $0) })
            if !isOpen { continuation.resume(returning: nil) }
        }
    }

    /// Begins nothing new, and returns when what is under way has ended and is written.
    ///
    /// Far ends that have fallen silent are not waited for: see ``DrainPatience``.
    public func drain() async {
        events.postAlways(.drain)
        let patience = Task { await leaveSilent() }
        await drained.wait()
        patience.cancel()
    }

    private func leaveSilent() async {
        var patience = DrainPatience()
        while !Task.isCancelled, let report = await inspect() {
            let silence = patience.silence(underWay: report.underWay, at: .now())
            if silence >= DrainPatience.pushes { events.postAlways(.abandon(sms: silence >= DrainPatience.texts)) }
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    private func run(_ machine: Dispatch) {
        var isOpen = true
        while isOpen {
            let taken = events.take(until: machine.nextWakeUp(after: .now())) ?? []
            for action in machine.handle(taken, at: ledger.schedule.read()) { perform(action) }
            feed.look(machine.parts, at: .now())
            if machine.isDrained {
                isOpen = false
                events.close()
                answerLate()
                drained.open()
            }
        }
    }

    /// Gives an answer to whoever asked in the moment of the end.
    private func answerLate() {
        for case .inspect(let reply) in events.take(until: .distantPast) ?? [] {
            reply(DispatchReport(inMemory: [], underWay: 0, channels: []))
        }
    }

    private func perform(_ action: Dispatch.Action) {
        let events = self.events
        switch action {
        case .lookUp(let lane, let ticket, let recipients):
            ledger.subscriptions(of: recipients, in: pipeline, for: lane) {
                events.postAlways(.lookedUp(ticket, $0))
            }
        case .send(let channel, let attempts): channels[channel]?.send(attempts, to: self)
        case .settle(let ticket, let settlements):
            ledger.settle(settlements) { events.postAlways(.settled(ticket, $0)) }
        case .intend(let ticket, let intents):
            ledger.intend(intents) { events.postAlways(.intended(ticket, $0)) }
        case .tokens(let step, let channel, let record):
            let desk = subscriptionEnds
            ledger.apply(step, of: channel, in: pipeline, record) { desk.note($0, channel: channel) }
        case .clearVerdicts(let subscriptions):
            let log = self.log
            ledger.clearVerdicts(subscriptions) { result in
                guard case .failure(let error) = result else { return }
                log.error("cannot clear verdicts that a success made void", ["reason": "\(error)"])
            }
        case .load(let lane, let limit):
            let queue = Queue(pipeline: pipeline, lane: lane)
            ledger.due(queue, now: ledger.schedule.read().due, limit: limit) { events.postAlways(.page(lane, $0)) }
        case .loadParked(let index, let lane, let number, let limit):
            let queue = Queue(pipeline: pipeline, lane: lane, parking: number)
            ledger.due(queue, now: ledger.schedule.read().due, limit: limit) {
                events.postAlways(.parkedPage(index, $0))
            }
        case .sweep(let limit):
            ledger.expired(pipeline, now: .now(), limit: limit) { events.postAlways(.overdue($0)) }
        case .observe(let event): observer?(event)
        case .note(let level, let message, let channel, let reason):
            log.write(level, message, ["channel": channel, "reason": reason])
        case .report(let report, let reply): reply(report)
        }
    }
}
