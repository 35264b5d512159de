// SPDX-License-Identifier: Apache-2.0

public import Bus

/// A pipeline with the modules it was built from: what starts together, runs together and drains together.
public final class PipelineRunner: Sendable {
    /// The pipeline.
    public let pipeline: Pipeline
    private let modules: PipelineModules
    private let watch: ModuleWatch
    /// What an operator had stopped when the bus was last at work.
    private let paused: Set<String>
    private let log: Log
    private let upkeep: Upkeep
    /// No wait that is stored is longer, in milliseconds.
    private let longestWait: Int64

    /// What its modules serve over HTTP.
    public var routes: [HTTPRoute] { modules.routes }
    /// Its modules' doors, for the metrics.
    public var doors: [Door] { modules.doors }
    /// The paths of its routes, and where the modules stand that serve them.
    public var paths: [PathClaim] { modules.paths }

    /// Builds a pipeline from its plan; nothing starts.
    ///
    /// - Throws: what a module or the ledger says against it.
    public init(
        _ plan: PipelinePlan,
        ledger: any Ledger,
        log: Log,
        observer: (@Sendable (DeliveryEvent) -> Void)? = nil
    ) throws {
        let log = log.with("pipeline", plan.file.name)
        let relay = IntakeRelay()
        let number = try ledger.pipeline(named: plan.file.name)
        let stopped = try waited { ledger.pauses(in: number, completion: $0) }.get()
        modules = try PipelineModules(plan, intake: relay, ledger: ledger, log: log)
        let expireAfter = plan.file.subscriptions.expireAfter?.milliseconds
        let ends = SubscriptionEnds(log: log)
        let dispatcher = Dispatcher(
            pipeline: number,
            ledger: ledger,
            channels: modules.channelsByID,
            metrics: DeliveryMetrics(pipeline: plan.file.name, channels: modules.setups.map(\.id.label)),
            settings: DispatchSettings(
                plan.file.delivery,
                lastSeenInterval: Upkeep.lastSeenInterval(expireAfter: expireAfter)
            ),
            subscriptionEnds: ends,
            log: log,
            observer: observer
        )
        let callbacks = CallbackDispatcher(
            pipeline: number,
            ledger: ledger,
            links: modules.links,
            settings: CallbackSettings(plan.file.delivery),
            log: log
        )
        try callbacks.declare()
        pipeline = Pipeline(plan.file.name, number, modules, ledger, dispatcher, callbacks, ends, log)
        relay.connect(to: pipeline)
        let fallback = modules.setups.compactMap(\.phones).map(\.delay).max() ?? 0
        longestWait = max(RetryAfter.longest + plan.file.delivery.retry.max.milliseconds, fallback)
        paused = Set(stopped.keys).intersection(modules.setups.map(\.id.label) + modules.links.map(\.label))
        self.log = log
        watch = ModuleWatch(modules.all, log: log)
        upkeep = Upkeep(pipeline: number, ledger: ledger, expireAfter: expireAfter, ends: ends, log: log)
    }

    /// Begins to deliver what the ledger holds.
    public func start() async {
        await pipeline.capWaits(longest: longestWait)
        let parked = await pipeline.countBacklog()
        pipeline.ledger.watch(pipeline.number, PipelineEvents(pipeline.dispatcher, pipeline.callbacks))
        let guards = await pipeline.knownGuards()
        let setups = modules.setups.map { setup in
            var setup = setup
            setup.isPaused = paused.contains(setup.id.label)
            if let known = guards[setup.id.label] {
                setup.tokens = InvalidTokenGuard(known.record, suspects: known.suspects)
            }
            return setup
        }
        pipeline.dispatcher.start(channels: setups, topics: modules.topics, parked: parked)
        pipeline.callbacks.start(paused: paused)
        for item in paused.sorted() { log.warning("stopped by an operator, and still is", ["channel": item]) }
        upkeep.start()
    }

    /// The modules that threw or ended before their time: the pipeline is not ready where there is one.
    public var failedModules: [String] { watch.failed }

    /// Runs the modules until they are drained; one that fails is told of at once and stops no other.
    public func run() async { await watch.run() }

    /// Stops in order: the sources, what works on deliveries and callbacks, then everything else.
    public func drain() async {
        watch.beginDrain()
        await Self.drain(modules.adapters)
        async let upkept: Void = upkeep.drain()
        async let told: Void = pipeline.callbacks.drain()
        await pipeline.dispatcher.drain()
        _ = await (upkept, told)
        pipeline.ledger.watch(pipeline.number, nil)
        await Self.drain(modules.stages.map(\.stage) + modules.channels + modules.links.map(\.link))
        watch.endDrain()
    }

    private static func drain(_ modules: [any Module]) async {
        await withTaskGroup(of: Void.self) { group in
            for module in modules { group.addTask { await module.drain() } }
        }
    }
}

extension DispatchSettings {
    init(_ delivery: DeliverySettings, lastSeenInterval: Int64) {
        self.init()
        successInterval = lastSeenInterval
        retry = Backoff(initial: delivery.retry.initial.milliseconds, max: delivery.retry.max.milliseconds)
    }
}

extension Duration {
    /// Whole milliseconds; what is beyond their range is cut to it.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, isOver) = seconds.multipliedReportingOverflow(by: 1_000)
        return isOver ? (seconds < 0 ? .min : .max) : product + attoseconds / 1_000_000_000_000_000
    }
}
