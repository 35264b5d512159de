// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

/// The command `graph`.
enum GraphCommand: Command {
    static let name = "graph"
    static let synopsis = "FILE [--format mermaid|dot|svg] [--config busd.yaml]"
    static let summary = "draw a pipeline"
    static let details = """
        On standard output: Mermaid, which forges and wikis draw; dot, the language of Graphviz; or SVG for a browser.
        Modules of the plugins that the node file names are known; without --config, of that of this folder.
        """

    enum Format: String, CaseIterable { case mermaid, dot, svg }

    static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
        let word = try arguments.option("--format") ?? "mermaid"
        guard let format = Format(rawValue: word) else {
            throw UsageError("--format must be mermaid, dot or svg, not '\(word)'")
        }
        let config = try arguments.option("--config")
        let named = try arguments.rest()
        guard let path = named.first else { throw UsageError("name a pipeline file") }
        if named.count > 1 { throw UsageError("'\(named[1])' is one word too many") }
        let modules = PluginModules(config: config)
        var files = ConfigurationFiles()
        files.add(path)
        let found = modules.diagnostics + files.diagnostics + unknown(files.pipelines, modules.registry)
        DiagnosticList(found.sortedByPlace()).print()
        if found.hasErrors { return .failure }
        guard let file = files.pipelines.first else { throw UsageError("\(path) is no pipeline file") }
        let graph = PipelineGraph(file, registry: modules.registry)
        let text =
            switch format {
            case .mermaid: graph.mermaid
            case .dot: graph.dot
            case .svg: graph.svg
            }
        Console.print(String(text.dropLast()))
        return .success
    }

    /// A module that nobody knows has no place in the picture.
    private static func unknown(_ files: [PipelineFile], _ registry: Registry) -> [Diagnostic] {
        files.flatMap { file in
            [(Registry.Role.inbound, file.inbound), (.stage, file.stages), (.outbound, file.outbound)].flatMap {
                role,
                items in
                items.filter { registry.module(role, $0.module) == nil }.map { item in
                    let names = registry.modules(role).map(\.name)
                    let advice = Suggestion.clause(for: item.module, in: names)
                    return .error(at: item.mark, "there is no module '\(item.module)' under '\(role.section)'\(advice)")
                }
            }
        }
    }
}
