// SPDX-License-Identifier: Apache-2.0

import Bus

/// The modules of a pipeline, made from its plan; none is at work yet.
struct PipelineModules: Sendable {
    private(set) var adapters: [any InboundAdapter] = []
    private(set) var stages: [Pipeline.ConditionalStage] = []
    private(set) var channels: [any OutboundChannel] = []
    /// What the dispatcher is to know of the channels, in their order.
    private(set) var setups: [ChannelSetup] = []
    private(set) var links: [NamedBankLink] = []
    /// All of them, for whoever runs them.
    private(set) var all: [ModuleWatch.Item] = []
    /// Their doors, for the metrics.
    private(set) var doors: [Door] = []
    /// What they serve over HTTP.
    private(set) var routes: [HTTPRoute] = []
    /// The paths of that, and where the modules stand that serve them.
    private(set) var paths: [PathClaim] = []

    /// Makes all modules of a plan; nothing starts.
    ///
    /// - Throws: what a module says against it.
    init(_ plan: PipelinePlan, intake: IntakeRelay, ledger: any OnceLedger, log: Log) throws {
        let callers = Door.Callers()
        let makeContext: (String) -> (ModuleContext, Door) = { label in
            let log = log.with("module", label)
            let door = Door(label: label, callers: callers, ledger: ledger, log: log)
            return (ModuleContext(pipeline: plan.file.name, label: label, log: log, intake: intake, door: door), door)
        }
        for part in plan.inbound + plan.stages + plan.outbound {
            let (context, door) = makeContext(part.item.name)
            doors.append(door)
            let made = try part.make(context)
            all.append(ModuleWatch.Item(label: part.item.name, module: made.module))
            add(made, of: part)
        }
    }

    /// The topics of apps that have one of their own.
    var topics: [String: String] {
        adapters.flatMap(\.apps).reduce(into: [:]) { topics, app in topics[app.id] = app.bundle }
    }

    /// The channels by what they are known by.
    var channelsByID: [ChannelID: any OutboundChannel] {
        Dictionary(zip(setups.map(\.id), channels)) { first, _ in first }
    }

    /// The platforms that some channel reaches.
    var platforms: Set<Platform> {
        setups.reduce(into: []) { platforms, setup in
            if case .devices(let reached) = setup.reach { platforms.formUnion(reached) }
        }
    }

    private mutating func add(_ made: MadeModule, of part: PipelinePlan.Part) {
        switch made {
        case .inbound(let adapter):
            adapters.append(adapter)
            serve(adapter.routes, of: part)
        case .stage(let stage):
            stages.append(
                Pipeline.ConditionalStage(
                    label: part.item.name,
                    stage: stage,
                    condition: part.item.condition,
                    isFromPlugin: part.isFromPlugin
                )
            )
        case .channel(let channel):
            channels.append(channel)
            serve(channel.routes, of: part)
            setups.append(
                ChannelSetup(
                    label: part.item.name,
                    reach: channel.reach,
                    condition: part.item.condition,
                    rate: channel.rate,
                    fallbackDelay: channel.fallbackDelay
                )
            )
        case .bankLink(let link): links.append(NamedBankLink(label: part.item.name, link: link))
        }
    }

    // Nobody knows how long a plugin's handler thinks: it has the pool to do so.
    private mutating func serve(_ served: [HTTPRoute], of part: PipelinePlan.Part) {
        let served = part.isFromPlugin ? served.map(\.onPool) : served
        routes += served
        paths += PathClaim.all(of: served, at: part.item.mark)
    }
}
