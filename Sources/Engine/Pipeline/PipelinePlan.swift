// SPDX-License-Identifier: Apache-2.0

public import Bus

/// A pipeline that was read and checked: its modules looked up, their settings bound.
public struct PipelinePlan: Sendable {
    /// A module of the plan.
    struct Part: Sendable {
        let item: PipelineItem
        let make: @Sendable (ModuleContext) throws -> MadeModule
    }

    /// What the pipeline's file says.
    public let file: PipelineFile
    /// The paths its inbound adapters will serve, and where they are asked for.
    public let paths: [(path: String, mark: SourceMark)]
    /// Where its modules ask for client certificates.
    public let clientCertificateMarks: [SourceMark]
    let inbound: [Part]
    let stages: [Part]
    let outbound: [Part]

    /// What is wrong with its modules; with an error in it the plan is not to be built.
    public let diagnostics: [Diagnostic]

    /// Binds the modules that a file names.
    public init(_ file: PipelineFile, registry: Registry, context: SettingsContext) {
        var binder = Binder(registry: registry, context: context)
        inbound = binder.bind(file.inbound, as: .inbound)
        stages = binder.bind(file.stages, as: .stage)
        outbound = binder.bind(file.outbound, as: .outbound)
        if let mark = binder.bankLinkMark, !binder.hasBankLink {
            let advice = "add soap_bank or rest_bank under 'outbound'"
            binder.found.append(.error(at: mark, "there is no bank to ask in this pipeline; \(advice)"))
        }
        if let mark = binder.phoneChannelMark, !binder.hasPhoneChannel {
            let advice = "add sms_gateway under 'outbound'"
            binder.found.append(.error(at: mark, "nothing sends text messages in this pipeline; \(advice)"))
        }
        self.file = file
        paths = binder.paths
        clientCertificateMarks = binder.clientCertificateMarks
        diagnostics = binder.found
    }
}

/// Finds and binds the modules of a pipeline's lists.
private struct Binder {
    let registry: Registry
    let context: SettingsContext
    var found: [Diagnostic] = []
    var paths: [(path: String, mark: SourceMark)] = []
    var clientCertificateMarks: [SourceMark] = []
    var bankLinkMark: SourceMark?
    var hasBankLink = false
    var phoneChannelMark: SourceMark?
    var hasPhoneChannel = false

    mutating func bind(_ items: [PipelineItem], as role: Registry.Role) -> [PipelinePlan.Part] {
        var parts: [PipelinePlan.Part] = []
        for item in items where !item.module.isEmpty {
            guard let entry = registry.module(role, item.module) else {
                found.append(.error(at: item.mark, unknown(item.module, role)))
                continue
            }
            let binding = registry.bind(entry, item.options, at: item.mark, context: context(of: entry))
            found += binding.diagnostics
            // A link with bad settings has errors of its own; that it is missing would be one too many.
            if entry.isBankLink, item.isEnabled { hasBankLink = true }
            if entry.isForPhones, item.isEnabled { hasPhoneChannel = true }
            if item.condition != nil { found += idleCondition(of: item, entry, role) }
            guard item.isEnabled, let make = binding.make else { continue }
            if let mark = binding.bankLinkMark { bankLinkMark = bankLinkMark ?? mark }
            if let mark = binding.phoneChannelMark { phoneChannelMark = phoneChannelMark ?? mark }
            paths += binding.paths.map { (path: $0, mark: item.mark) }
            if let mark = binding.clientCertificateMark { clientCertificateMarks.append(mark) }
            parts.append(PipelinePlan.Part(item: item, make: make))
        }
        return parts
    }

    /// What is wrong with a `when` that nothing would look at.
    private func idleCondition(
        of item: PipelineItem,
        _ entry: Registry.Entry,
        _ role: Registry.Role
    ) -> [Diagnostic] {
        if entry.isBankLink {
            let advice = "it hears of every notification of the pipeline, and 'events' says what"
            return [.error(at: item.conditionMark, "'when' cannot be used with a bank link: \(advice)")]
        }
        guard role == .inbound else { return [] }
        return [.warning(at: item.conditionMark, "'when' has no effect under 'inbound': every message comes in")]
    }

    /// Explains an option that is in the wrong place.
    private func context(of entry: Registry.Entry) -> SettingsContext {
        var context = self.context
        let registry = self.registry
        context.explainUnknownKey = { key in
            let owners = registry.modules(withOption: key).map(\.name).filter { $0 != entry.name }
            guard let first = owners.first else { return nil }
            return "'\(key)' is an option of \(first)"
        }
        return context
    }

    private func unknown(_ name: String, _ role: Registry.Role) -> String {
        for other in Registry.Role.allCases where other != role {
            if registry.module(other, name) != nil {
                return "'\(name)' is not a module for '\(role.section)'; it goes under '\(other.section)'"
            }
        }
        let names = registry.modules(role).map(\.name)
        if let close = Suggestion.closest(to: name, in: names) {
            return "unknown module '\(name)'; did you mean '\(close)'?"
        }
        return "unknown module '\(name)'; known under '\(role.section)': \(names.joined(separator: ", "))"
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
