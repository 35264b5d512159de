// SPDX-License-Identifier: Apache-2.0

public import Bus
import Synchronization
import Threads

/// Tells a pipeline's banks: a thread that feeds a ``CallbackDispatch`` and does what it says.
///
/// A thread of its own, so that no bank ever holds up a push.
public final class CallbackDispatcher: DeliverySink {
    private let pipeline: PipelineNumber
    private let ledger: any Ledger
    private let links: [NamedBankLink]
    private let settings: CallbackSettings
    private let log: Log
    private let events = Mailbox<CallbackDispatch.Event>(capacity: 1 << 16)
    private let numbers = Mutex<[LinkNumber]>([])
    private let drained = Gate()
    /// What became of calls.
    public let metrics: CallbackMetrics

    init(
        pipeline: PipelineNumber,
        ledger: any Ledger,
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
    func start() {
        guard !links.isEmpty else { return }
        // Where the mailbox is full it holds a wake already.
        ledger.watchCallbacks(of: pipeline) { [events] in events.post(.wake) }
        let machine = CallbackDispatch(settings: settings, links: links.map(\.label), metrics: metrics)
        _ = NamedThread("busd-callbacks") { self.run(machine) }
    }

    /// Takes the links' outcomes.
    public func report(_ reports: [DeliveryReport]) { events.postAlways(.reports(reports)) }

    /// Begins nothing new, and returns when what is under way has ended and is written.
    func drain() async {
        guard !links.isEmpty else { return }
        ledger.watchCallbacks(of: pipeline, nil)
        events.postAlways(.drain)
        await drained.wait()
    }

    private func run(_ machine: consuming CallbackDispatch) {
        var machine = machine
        while !machine.isDrained {
            let deadline = machine.nextWakeUp(after: ledger.schedule.read())
            let taken = events.take(until: deadline?.nanoseconds) ?? []
            for action in machine.handle(taken, at: ledger.schedule.read()) { perform(action) }
        }
        events.close()
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
        case .settle(let settlements):
            ledger.settleCallbacks(settlements) { events.postAlways(.settled(settlements, $0)) }
        case .note(let level, let message, let link, let reason):
            log.write(level, message, ["link": link, "reason": reason])
        }
    }
}
