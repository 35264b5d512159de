// SPDX-License-Identifier: Apache-2.0

/// The modules a bus was built with: a plain value, filled by an explicit list.
public struct Registry: Sendable {
    /// Where in a pipeline a module stands.
    public enum Role: String, Sendable, CaseIterable {
        case inbound, stage, outbound
    }

    /// One registered module.
    public struct Entry: Sendable {
        /// Where it stands.
        public let role: Role
        /// Its name in pipeline files.
        public let name: String
        /// One sentence about it.
        public let summary: String
        /// Its options; `nil` for a module that this release does not have yet.
        public let options: SettingsDescription?
        /// Whether it is a link to a bank.
        public let isBankLink: Bool
        /// Whether it is a channel that reaches phone numbers.
        public let isForPhones: Bool
        /// Whether it came with a plugin: nobody here knows how long it thinks.
        public internal(set) var isFromPlugin = false
        /// Reads its settings.
        fileprivate let bind: @Sendable (ConfigurationNode, SourceMark, SettingsContext) -> Binding
    }

    /// What reading a module's settings came to.
    public struct Binding: Sendable {
        /// What is wrong with them.
        public var diagnostics: [Diagnostic]
        /// The paths it will serve.
        public var paths: [String] = []
        /// The apps it registers devices for; `nil` where that is not known.
        public var apps: [AppDeclaration]?
        /// The platforms whose devices it reaches; `nil` where that is not known.
        public var platforms: Set<Platform>?
        /// Where they name a secret that callers send, if they do.
        public var callerSecretMark: SourceMark?
        /// Where they ask for client certificates, if they do.
        public var clientCertificateMark: SourceMark?
        /// Where they ask for a bank that answers questions, if they do.
        public var bankLinkMark: SourceMark?
        /// Where they ask for a channel that reaches phone numbers, if they do.
        public var phoneChannelMark: SourceMark?
        /// Makes the module; `nil` where something is wrong.
        public var make: (@Sendable (ModuleContext) throws -> MadeModule)?
    }

    private var entries: [Entry] = []
    private var isAddingPlugin = false
    /// Names that were registered although the role knew them; the first registration stands.
    public private(set) var conflicts: [String] = []

    /// Creates a registry that knows nothing.
    public init() {}

    /// Adds an inbound adapter.
    public mutating func register<M: InboundAdapter>(_ type: M.Type) {
        add(type, .inbound, paths: M.paths) { .inbound($0) }
    }
    /// Adds a stage.
    public mutating func register<M: Stage>(_ type: M.Type) { add(type, .stage) { .stage($0) } }
    /// Adds an outbound channel.
    public mutating func register<M: OutboundChannel>(_ type: M.Type) {
        add(type, .outbound, isForPhones: M.isForPhones, paths: M.paths) { .channel($0) }
    }
    /// Adds a bank link.
    public mutating func register<M: BankLink>(_ type: M.Type) {
        add(type, .outbound, isBankLink: true) { .bankLink($0) }
    }

    /// Adds what a plugin registers.
    public mutating func addPlugin(_ register: (inout Registry) -> Void) {
        isAddingPlugin = true
        register(&self)
        isAddingPlugin = false
    }

    /// Names a module that a later release brings, so that using it gives a clear error.
    public mutating func announce(_ role: Role, _ name: String, _ summary: String) {
        append(
            Entry(role: role, name: name, summary: summary, options: nil, isBankLink: false, isForPhones: false) {
                _,
                mark,
                _ in
                let problem = "'\(name)' is not available in this release"
                return Binding(diagnostics: [.error(at: mark, problem)], make: nil)
            }
        )
    }

    /// The modules of a role, by name.
    public func modules(_ role: Role) -> [Entry] {
        entries.filter { $0.role == role }.sorted { $0.name < $1.name }
    }

    /// The module of a name.
    public func module(_ role: Role, _ name: String) -> Entry? {
        entries.first { $0.role == role && $0.name == name }
    }

    /// The modules with such an option, for advice about a misplaced one.
    public func modules(withOption key: String) -> [Entry] {
        entries.filter { $0.options?[key] != nil }
    }

    /// Reads and checks the settings of a module whose key stands at `mark`.
    public func bind(
        _ entry: Entry,
        _ node: ConfigurationNode,
        at mark: SourceMark,
        context: SettingsContext
    ) -> Binding {
        entry.bind(node, mark, context)
    }

    private mutating func add<M: Module>(
        _ type: M.Type,
        _ role: Role,
        isBankLink: Bool = false,
        isForPhones: Bool = false,
        paths: @escaping @Sendable (M.Settings) -> [String] = { _ in [] },
        wrap: @escaping @Sendable (M) -> MadeModule
    ) {
        let options = SettingsDescription(of: M.Settings.self)
        append(
            Entry(
                role: role,
                name: M.name,
                summary: M.summary,
                options: options,
                isBankLink: isBankLink,
                isForPhones: isForPhones
            ) {
                node,
                mark,
                context in
                Self.bind(M.self, node, mark, context, paths: paths, wrap: wrap)
            }
        )
    }

    /// Reads and checks settings; those with faults are checked as far as they go, so that all is told in one run.
    private static func bind<M: Module>(
        _ type: M.Type,
        _ node: ConfigurationNode,
        _ mark: SourceMark,
        _ context: SettingsContext,
        paths: (M.Settings) -> [String],
        wrap: @escaping @Sendable (M) -> MadeModule
    ) -> Binding {
        var reader = SettingsReader(node, context: context)
        let settings = M.Settings(from: &reader)
        let faults = reader.finish()
        let variables = context.variables
        var check = ModuleCheck(mark: mark, readFile: variables.readFile, isOpenToAll: variables.isOpenToAll)
        M.check(settings, &check)
        var binding = Binding(diagnostics: faults)
        binding.diagnostics += faults.hasErrors ? check.diagnostics(beside: faults) : check.diagnostics
        binding.paths = paths(settings).filter { !$0.isEmpty }
        binding.apps = check.apps
        binding.platforms = check.platforms
        binding.callerSecretMark = check.callerSecretMark
        binding.clientCertificateMark = check.clientCertificateMark
        binding.bankLinkMark = check.bankLinkMark
        binding.phoneChannelMark = check.phoneChannelMark
        if !binding.diagnostics.hasErrors { binding.make = { wrap(try M(settings: settings, context: $0)) } }
        return binding
    }

    private mutating func append(_ entry: Entry) {
        guard module(entry.role, entry.name) == nil else { return conflicts.append(entry.name) }
        var entry = entry
        entry.isFromPlugin = isAddingPlugin
        entries.append(entry)
    }
}

/// A module, by what it can do.
public enum MadeModule: Sendable {
    case inbound(any InboundAdapter)
    case stage(any Stage)
    case channel(any OutboundChannel)
    case bankLink(any BankLink)

    /// The module, whatever it can do.
    public var module: any Module {
        switch self {
        case .inbound(let module): module
        case .stage(let module): module
        case .channel(let module): module
        case .bankLink(let module): module
        }
    }
}
