// SPDX-License-Identifier: Apache-2.0

public import Bus

/// A pipeline with the modules it was built from: what starts together, runs together and drains together.
public final class PipelineRunner: Sendable {
    /// The pipeline.
    public let pipeline: Pipeline
    /// What its modules serve over HTTP.
    public let routes: [HTTPRoute]
    /// Its modules' doors, for the metrics.
    public let doors: [Door]
    /// The paths of those, and where the modules stand that serve them.
    public let paths: [PathClaim]
    private let adapters: [any InboundAdapter]
    private let stages: [any Stage]
    private let outbound: [any OutboundChannel]
    private let links: [any BankLink]
    private let channels: [ChannelState]
    private let watch: ModuleWatch
    /// What an operator had stopped when the bus was last at work.
    private let paused: Set<String>
    private let log: Log
    private let upkeep: Upkeep
    private let topics: [String: String]
    /// No wait that is stored is longer, in milliseconds.
    private let longestWait: Int64

    /// Builds a pipeline from its plan; nothing starts.
    ///
    /// - Throws: what a module or the ledger says against it.
    public init(
        _ plan: PipelinePlan,
        ledger: any Ledger,
        log: Log,
        observer: (@Sendable (DeliveryEvent) -> Void)? = nil
    ) throws {
        let name = plan.file.name
        let log = log.with("pipeline", name)
        let relay = IntakeRelay()
        let number = try ledger.pipeline(named: name)
        let paused = Set(try waited { ledger.pauses(in: number, completion: $0) }.get().keys)
        var modules: [ModuleWatch.Item] = []
        let callers = Door.Callers()
        var doors: [Door] = []
        func make(_ part: PipelinePlan.Part) throws -> MadeModule {
            let label = part.item.name
            let log = log.with("module", label)
            let door = Door(label: label, callers: callers, ledger: ledger, log: log)
            doors.append(door)
            let context = ModuleContext(pipeline: name, label: label, log: log, intake: relay, door: door)
            let made = try part.make(context)
            modules.append(ModuleWatch.Item(label: label, module: made.module))
            return made
        }
        var adapters: [any InboundAdapter] = []
        var served: [(item: PipelineItem, routes: [HTTPRoute])] = []
        for part in plan.inbound {
            guard case .inbound(let adapter) = try make(part) else { continue }
            adapters.append(adapter)
            served.append((part.item, part.isFromPlugin ? adapter.routes.map(\.onPool) : adapter.routes))
        }
        var stages: [Pipeline.ConditionalStage] = []
        for part in plan.stages {
            guard case .stage(let stage) = try make(part) else { continue }
            stages.append(
                Pipeline.ConditionalStage(
                    label: part.item.name,
                    stage: stage,
                    condition: part.item.condition,
                    isFromPlugin: part.isFromPlugin
                )
            )
        }
        var states: [ChannelState] = []
        var outbound: [any OutboundChannel] = []
        var links: [NamedBankLink] = []
        for part in plan.outbound {
            switch try make(part) {
            case .channel(let channel):
                outbound.append(channel)
                served.append((part.item, part.isFromPlugin ? channel.routes.map(\.onPool) : channel.routes))
                var state = ChannelState(
                    label: part.item.name,
                    reach: channel.reach,
                    condition: part.item.condition,
                    rate: channel.rate,
                    fallbackDelay: channel.fallbackDelay
                )
                state.isPaused = paused.contains(state.label)
                states.append(state)
            case .bankLink(let link): links.append(NamedBankLink(label: part.item.name, link: link))
            case .inbound, .stage: continue
            }
        }
        let expireAfter = plan.file.subscriptions.expireAfter?.milliseconds
        let ends = SubscriptionEnds(log: log)
        let dispatcher = Dispatcher(
            pipeline: number,
            ledger: ledger,
            channels: outbound,
            metrics: DeliveryMetrics(pipeline: name, channels: states.map(\.label)),
            settings: DispatchSettings(plan.file.delivery, signInterval: Upkeep.signInterval(expireAfter: expireAfter)),
            subscriptionEnds: ends,
            log: log,
            observer: observer
        )
        let callbacks = CallbackDispatcher(
            pipeline: number,
            ledger: ledger,
            links: links,
            settings: CallbackSettings(plan.file.delivery),
            log: log
        )
        try callbacks.declare()
        pipeline = Pipeline(
            name: name,
            number: number,
            ledger: ledger,
            dispatcher: dispatcher,
            callbacks: callbacks,
            stages: stages,
            links: links,
            platforms: states.reduce(into: []) { platforms, state in
                if case .devices(let reached) = state.reach { platforms.formUnion(reached) }
            },
            phones: states.compactMap(\.phones),
            codes: outbound.first { $0.reach == .phones }.map { CodeSender(channel: $0) },
            subscriptionEnds: ends,
            log: log
        )
        relay.connect(to: pipeline)
        routes = served.flatMap(\.routes)
        paths = served.flatMap { item, routes in PathClaim.all(of: routes, at: item.mark) }
        topics = adapters.flatMap(\.apps).reduce(into: [:]) { topics, app in topics[app.id] = app.bundle }
        channels = states
        let fallback = states.compactMap(\.phones).map(\.delay).max() ?? 0
        longestWait = max(RetryAfter.longest + plan.file.delivery.retry.max.milliseconds, fallback)
        self.doors = doors
        self.adapters = adapters
        self.stages = stages.map(\.stage)
        self.outbound = outbound
        self.links = links.map(\.link)
        self.paused = paused.intersection(states.map(\.label) + links.map(\.label))
        self.log = log
        watch = ModuleWatch(modules, log: log)
        upkeep = Upkeep(pipeline: number, ledger: ledger, expireAfter: expireAfter, ends: ends, log: log)
    }

    /// Begins to deliver what the ledger holds.
    public func start() async {
        await pipeline.capWaits(longest: longestWait)
        let parked = await pipeline.countBacklog()
        pipeline.ledger.watch(pipeline.number, PipelineEvents(pipeline.dispatcher, pipeline.callbacks))
        let guards = await pipeline.knownGuards()
        var channels = channels
        for index in channels.indices {
            guard let known = guards[channels[index].label] else { continue }
            channels[index].tokens = InvalidTokenGuard(known.record, suspects: known.suspects)
        }
        pipeline.dispatcher.start(channels: channels, topics: topics, parked: parked)
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
        await Self.drain(adapters)
        async let upkept: Void = upkeep.drain()
        async let told: Void = pipeline.callbacks.drain()
        await pipeline.dispatcher.drain()
        _ = await (upkept, told)
        pipeline.ledger.watch(pipeline.number, nil)
        await Self.drain(stages + outbound + links)
        watch.endDrain()
    }

    private static func drain(_ modules: [any Module]) async {
        await withTaskGroup(of: Void.self) { group in
            for module in modules { group.addTask { await module.drain() } }
        }
    }
}

extension DispatchSettings {
    init(_ delivery: DeliverySettings, signInterval: Int64) {
        self.init()
        successInterval = signInterval
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
