// SPDX-License-Identifier: Apache-2.0

import Bus

/// The command `modules`.
enum ModulesCommand: Command {
    static let name = "modules"
    static let synopsis = "[NAME] [--format text|json|markdown] [--config busd.yaml]"
    static let summary = "list the modules by role, or describe one"
    static let details = """
        Modules are what pipelines are made of; NAME shows the options of each module so called. Those of the plugins
        that the node file names are among them; without --config, that of this folder where there is one.
        """

    enum Format: String, CaseIterable { case text, json, markdown }

    static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
        let word = try arguments.option("--format") ?? "text"
        guard let format = Format(rawValue: word) else {
            throw UsageError("--format must be text, json or markdown, not '\(word)'")
        }
        let config = try arguments.option("--config")
        let names = try arguments.rest()
        if names.count > 1 { throw UsageError("'\(names[1])' is one word too many") }
        let modules = PluginModules(config: config)
        DiagnosticList(modules.diagnostics).print()
        if modules.diagnostics.hasErrors { return .failure }
        let registry = modules.registry
        let all = Registry.Role.allCases.flatMap { registry.modules($0) }
        guard let name = names.first else {
            Console.print(ModuleReference(all).list(format))
            return .success
        }
        let found = all.filter { $0.name == name }
        guard !found.isEmpty else {
            let advice = Suggestion.clause(for: name, in: all.map(\.name))
            Console.error("busd modules: there is no module '\(name)'\(advice)")
            return .failure
        }
        Console.print(ModuleReference(found).describe(format))
        return .success
    }
}
