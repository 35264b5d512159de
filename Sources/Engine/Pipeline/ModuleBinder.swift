// SPDX-License-Identifier: Apache-2.0

import Bus

/// Finds and binds the modules of a pipeline's lists.
struct ModuleBinder {
    private let registry: Registry
    private let context: SettingsContext
    private(set) var found: [Diagnostic] = []
    private(set) var paths: [PathClaim] = []
    private(set) var clientCertificateMarks: [SourceMark] = []
    private(set) var callerSecretMarks: [SourceMark] = []
    private var bankLinkMark: SourceMark?
    private var hasBankLink = false
    private var phoneChannelMark: SourceMark?
    private var hasPhoneChannel = false
    private var apps: [AppDeclaration?] = []
    private var platforms: [String: Set<Platform>] = [:]

    init(registry: Registry, context: SettingsContext) {
        self.registry = registry
        self.context = context
    }

    mutating func bind(_ items: [PipelineItem], as role: Registry.Role) -> [PipelinePlan.Part] {
        var parts: [PipelinePlan.Part] = []
        for item in items where !item.module.isEmpty {
            guard let entry = registry.module(role, item.module) else {
                found.append(.error(at: item.mark, unknown(item.module, role)))
                continue
            }
            let binding = registry.bind(entry, item.options, at: item.mark, context: context(of: entry))
            found += binding.diagnostics
            if item.condition != nil { found += idleCondition(of: item, entry, role) }
            guard item.isEnabled else { continue }
            note(item, entry, role, binding)
            guard let make = binding.make else { continue }
            parts.append(PipelinePlan.Part(item: item, isFromPlugin: entry.isFromPlugin, make: make))
        }
        return parts
    }

    /// Keeps what the pipeline as a whole is checked for; a module with bad settings counts, for it has errors of its
    /// own, and that it is missing would be one too many.
    private mutating func note(
        _ item: PipelineItem,
        _ entry: Registry.Entry,
        _ role: Registry.Role,
        _ binding: Registry.Binding
    ) {
        hasBankLink = hasBankLink || entry.isBankLink
        hasPhoneChannel = hasPhoneChannel || entry.isForPhones
        bankLinkMark = bankLinkMark ?? binding.bankLinkMark
        phoneChannelMark = phoneChannelMark ?? binding.phoneChannelMark
        if let mark = binding.clientCertificateMark { clientCertificateMarks.append(mark) }
        if let mark = binding.callerSecretMark { callerSecretMarks.append(mark) }
        for path in binding.paths {
            let claim = PathClaim(path: path, mark: item.mark)
            if let problem = claim.problem { found.append(problem) } else { paths.append(claim) }
        }
        if role == .inbound { if let known = binding.apps { apps += known } else { apps.append(nil) } }
        if role == .outbound, !entry.isBankLink, !entry.isForPhones {
            platforms[item.name] = binding.platforms ?? Set(Platform.allCases)
        }
    }

    /// Finds what modules need and no other module brings.
    mutating func checkNeeds() {
        if let mark = bankLinkMark, !hasBankLink {
            let advice = "add soap_bank or rest_bank under 'outbound'"
            found.append(.error(at: mark, "there is no bank to ask in this pipeline; \(advice)"))
        }
        if let mark = phoneChannelMark, !hasPhoneChannel {
            let advice = "add sms_gateway under 'outbound'"
            found.append(.error(at: mark, "nothing sends text messages in this pipeline; \(advice)"))
        }
    }

    /// Finds conditions that cannot hold, when it is known what there is.
    mutating func checkConditions(_ file: PipelineFile) {
        let known = apps.compactMap(\.self)
        let declared = known.isEmpty || apps.contains(nil) ? nil : known
        let reached = platforms.values.reduce(into: Set<Platform>()) { $0.formUnion($1) }
        func check(_ item: PipelineItem, _ place: ConditionCheck.Place) -> [Diagnostic] {
            guard item.condition != nil else { return [] }
            return ConditionCheck(item, at: place, apps: declared, platforms: reached, context: context).diagnostics
        }
        for item in file.stages { found += check(item, .stage) }
        for item in file.outbound {
            guard let entry = registry.module(.outbound, item.module), !entry.isBankLink else { continue }
            if entry.isForPhones {
                found += check(item, .phones)
            } else {
                found += check(item, .channel(name: item.name, platforms[item.name] ?? Set(Platform.allCases)))
            }
        }
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
