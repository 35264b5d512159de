// SPDX-License-Identifier: Apache-2.0

public import Bus

/// A pipeline that was read and checked: its modules looked up, their settings bound.
public struct PipelinePlan: Sendable {
    /// A module of the plan.
    struct Part: Sendable {
        let item: PipelineItem
        /// Whether its module came with a plugin.
        let isFromPlugin: Bool
        let make: @Sendable (ModuleContext) throws -> MadeModule
    }

    /// What the pipeline's file says.
    public let file: PipelineFile
    /// The paths its modules will serve, as far as their settings tell.
    public let paths: [PathClaim]
    /// Where its modules ask for client certificates.
    public let clientCertificateMarks: [SourceMark]
    /// Where its modules name secrets that callers send.
    public let callerSecretMarks: [SourceMark]
    let inbound: [Part]
    let stages: [Part]
    let outbound: [Part]

    /// What is wrong with its modules; with an error in it the plan is not to be built.
    public let diagnostics: [Diagnostic]

    /// Binds the modules that a file names.
    public init(_ file: PipelineFile, registry: Registry, context: SettingsContext) {
        var binder = ModuleBinder(registry: registry, context: context)
        inbound = binder.bind(file.inbound, as: .inbound)
        stages = binder.bind(file.stages, as: .stage)
        outbound = binder.bind(file.outbound, as: .outbound)
        binder.checkNeeds()
        binder.checkConditions(file)
        self.file = file
        paths = binder.paths
        clientCertificateMarks = binder.clientCertificateMarks
        callerSecretMarks = binder.callerSecretMarks
        diagnostics = binder.found
    }
}

extension Registry.Role {
    /// The key in a pipeline file under which modules of this role stand.
    public var section: String {
        switch self {
        case .inbound: "inbound"
        case .stage: "stages"
        case .outbound: "outbound"
        }
    }
}

extension PipelinePlan {
    /// What the far end of a channel or a bank link said to a probe.
    public struct ProbeAnswer: Sendable {
        /// The channel's or the link's name.
        public let label: String
        /// Where it stands.
        public let mark: SourceMark
        /// What is wrong; `nil` where nothing is.
        public let problem: String?
    }

    /// Connects to the far ends of all channels and banks; nothing is sent to anybody.
    public func probe() async -> [ProbeAnswer] {
        var answers: [ProbeAnswer] = []
        for part in outbound {
            let label = part.item.name
            let context = ModuleContext(pipeline: file.name, label: label, log: .silent, intake: IntakeRelay())
            let problem: String?
            do {
                switch try part.make(context) {
                case .channel(let channel):
                    problem = await channel.probe()
                    await channel.drain()
                case .bankLink(let link):
                    problem = await link.probe()
                    await link.drain()
                case .inbound, .stage: continue
                }
            } catch {
                problem = "\(error)"
            }
            answers.append(ProbeAnswer(label: label, mark: part.item.mark, problem: problem))
        }
        return answers
    }
}

extension PipelinePlan {
    /// What modules say that were made on trial.
    public struct Trial: Sendable {
        /// Why one cannot be made, or serves what is no path.
        public private(set) var diagnostics: [Diagnostic] = []
        /// The paths they serve.
        public private(set) var paths: [PathClaim] = []

        fileprivate mutating func note(_ routes: [HTTPRoute], of item: PipelineItem) {
            for claim in PathClaim.all(of: routes, at: item.mark) {
                if let problem = claim.problem { diagnostics.append(problem) } else { paths.append(claim) }
            }
        }

        fileprivate mutating func note(_ error: any Error, of item: PipelineItem) {
            diagnostics.append(.error(at: item.mark, "'\(item.name)' cannot be used: \(error)"))
        }
    }

    /// Makes all modules, as a start of the bus would, and lets them go; nothing starts and nothing is sent.
    public func tryOut() async -> Trial {
        var trial = Trial()
        for part in inbound + stages + outbound {
            let context = ModuleContext(pipeline: file.name, label: part.item.name, log: .silent, intake: IntakeRelay())
            do {
                let made = try part.make(context)
                switch made {
                case .inbound(let adapter): trial.note(adapter.routes, of: part.item)
                case .channel(let channel): trial.note(channel.routes, of: part.item)
                case .stage, .bankLink: break
                }
                await made.module.drain()
            } catch { trial.note(error, of: part.item) }
        }
        return trial
    }
}
