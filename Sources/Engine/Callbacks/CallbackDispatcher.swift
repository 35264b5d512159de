// SPDX-License-Identifier: Apache-2.0

public import Bus
import Synchronization
import Threads

/// Tells a pipeline's banks: a thread that feeds a ``CallbackDispatch`` and does what it says.
///
/// A thread of its own, so that no bank ever holds up a push.
public final class CallbackDispatcher: DeliverySink {
    private let pipeline: PipelineNumber
    private let ledger: any CallbackDispatchLedger
    private let links: [NamedBankLink]
    private let settings: CallbackSettings
    private let log: Log
    private let events = Mailbox<CallbackDispatch.Event>(capacity: 1 << 16)
    private let numbers = Mutex<[LinkNumber]>([])
    private let drained = Gate()
    private let isStarted = Mutex(false)
    /// What became of calls.
    public let metrics: CallbackMetrics

    init(
        pipeline: PipelineNumber,
        ledger: any CallbackDispatchLedger,
        links: [NamedBankLink],
        settings: CallbackSettings,
        log: Log
    ) {
        self.pipeline = pipeline
        self.ledger = ledger
        self.links = links
        self.settings = settings
        self.log = log
        metrics = CallbackMetrics(links: links.map(\.label))
    }

    /// Says which events the links want; to be called before anything can happen to tell of.
    ///
    /// Blocks.
    ///
    /// - Throws: ``LedgerError``.
    func declare() throws {
        let declared = links.map {
            LinkDeclaration(label: $0.label, events: $0.link.events, reportsUnconfirmed: $0.link.reportsUnconfirmed)
        }
        let found = try ledger.declare(declared, in: pipeline)
        numbers.withLock { $0 = found }
    }

    /// Begins to tell what the ledger holds, and all that comes from now on.
    func start(paused: Set<String> = []) {
        guard !links.isEmpty else { return }
        isStarted.withLock { $0 = true }
        _ = NamedThread("busd-callbacks") { [self] in
            run(CallbackDispatch(settings: settings, links: links.map(\.label), paused: paused, metrics: metrics))
        }
    }

    /// Takes the links' outcomes.
    public func report(_ reports: [DeliveryReport]) { events.postAlways(.reports(reports)) }

    /// Takes that there may be something new to tell.
    func wake() {
        // Where the mailbox is full it holds a wake already.
        if isStarted.withLock({ $0 }) { events.post(.wake) }
    }

    /// Stops a link by its name, or lets it go on.
    func pause(_ link: String, _ isPaused: Bool) { events.postAlways(.pause(link: link, isPaused)) }

    /// How the links are; nothing where they are not at work.
    public func inspect() async -> [LinkReport] { await report() ?? [] }

    private func report() async -> [LinkReport]? {
        guard !links.isEmpty, isStarted.withLock({ $0 }) else { return nil }
        return await withCheckedContinuation { continuation in
            let isOpen = events.postAlways(.inspect { continuation.resume(returning: $0) })
            if !isOpen { continuation.resume(returning: nil) }
        }
    }

    /// How many callbacks each link is still to hear; what the ledger cannot say now is left out.
    public func waiting() async -> [(link: String, count: Int)] {
        let known = numbers.withLock { $0 }
        guard case .success(let counts) = await completed({ ledger.waitingCallbacks(known, completion: $0) }) else {
            return []
        }
        return zip(metrics.links, known).map { ($0, counts[$1] ?? 0) }
    }

    /// Begins nothing new, and returns when what is under way has ended and is written.
    ///
    /// A bank that has fallen silent is not waited for: it is told again after the restart.
    func drain() async {
        guard !links.isEmpty else { return }
        events.postAlways(.drain)
        let patience = Task { await leaveSilent() }
        await drained.wait()
        patience.cancel()
    }

    private func leaveSilent() async {
        var patience = DrainPatience()
        while !Task.isCancelled, let reports = await report() {
            let silence = patience.silence(underWay: reports.reduce(0) { $0 + $1.underWay }, at: .now())
            if silence >= DrainPatience.callbacks { events.postAlways(.abandon) }
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    private func run(_ machine: CallbackDispatch) {
        while !machine.isDrained {
            let deadline = machine.nextWakeUp(after: ledger.schedule.read())
            let taken = events.take(until: deadline) ?? []
            for action in machine.handle(taken, at: ledger.schedule.read()) { perform(action) }
        }
        events.close()
        // Whoever asked in the moment of the end.
        for case .inspect(let reply) in events.take(until: .distantPast) ?? [] { reply([]) }
        drained.open()
    }

    private func perform(_ action: CallbackDispatch.Action) {
        let events = self.events
        switch action {
        case .load(let link, let limit):
            let number = numbers.withLock { $0[link] }
            ledger.dueCallbacks(number, now: ledger.schedule.read().due, limit: limit) {
                events.postAlways(.page(link: link, $0))
            }
        case .send(let link, let calls): links[link].link.send(calls, to: self)
        case .settle(let ticket, let settlements):
            ledger.settleCallbacks(settlements) { events.postAlways(.settled(ticket, $0)) }
        case .note(let level, let message, let link, let reason):
            log.write(level, message, ["link": link, "reason": reason])
        case .report(let reports, let reply): reply(reports)
        }
    }
}
