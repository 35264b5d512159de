// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Glibc

/// The command `check`.
enum CheckCommand: Command {
    static let name = "check"
    static let synopsis = "[FILE ...] [--config busd.yaml] [--probe]"
    static let summary = "find what is wrong in node and pipeline files"
    static let details = """
        Without files, the node file and the pipelines it names: --config, or busd.yaml of this folder. Where only
        pipelines are named, the node file is read for its plugins and listeners. The small files that settings name,
        such as keys, are read; with --probe the far ends are connected to, and nothing is sent.
        """

    static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
        let probes = arguments.flag("--probe")
        let config = try arguments.option("--config")
        let named = try arguments.rest()
        let configuration = Configuration(files(config: config, named), registry: ModuleList.registry)
        // What settings cannot tell, the modules do: they are made, and start nothing.
        let isMade = !configuration.diagnostics.hasErrors
        let made = isMade ? await RouteCheck.diagnostics(configuration.plans) : []
        let found = (configuration.diagnostics + made).sortedByPlace()
        DiagnosticList(found).print()
        if found.hasErrors { return .failure }
        if configuration.paths.isEmpty { throw UsageError("there is no busd.yaml here and no pipeline; name a file") }
        for file in configuration.paths { Console.print("\(file): ok") }
        return probes ? await probe(configuration.plans) : .success
    }

    /// The files that were named are those that are checked, and no others.
    private static func files(config: String?, _ named: [String]) -> ConfigurationFiles {
        var files = ConfigurationFiles()
        let usual = config ?? NodeFile.pathInThisFolder
        if let config { files.addNode(config) }
        for path in named { files.add(path) }
        if named.isEmpty, config == nil, let usual { files.addNode(usual) }
        if files.namesPipelines { if let usual { files.learnNode(usual) } } else { files.addPipelinesOfNode() }
        return files
    }

    private static func probe(_ plans: [PipelinePlan]) async -> ExitStatus {
        var status = ExitStatus.success
        for plan in plans {
            for answer in await plan.probe() {
                if let problem = answer.problem {
                    Console.error("\(answer.mark): error: \(answer.label): \(problem)")
                    status = .failure
                } else {
                    Console.print("\(plan.file.name)/\(answer.label): reachable")
                }
            }
        }
        return status
    }
}
