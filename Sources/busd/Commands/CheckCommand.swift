// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Glibc

/// The command `check`.
enum CheckCommand: Command {
    static let name = "check"
    static let synopsis = "[FILE ...] [--probe]"
    static let summary = "find what is wrong in node and pipeline files"
    static let details = """
        Without files, busd.yaml of this folder and the pipelines it names. The small files that settings name, such
        as keys, are read; with --probe the far ends are connected to, and nothing is sent.
        """

    static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
        let probes = arguments.flag("--probe")
        let named = try arguments.rest()
        var files = ConfigurationFiles()
        if named.isEmpty {
            if let path = NodeFile.pathInThisFolder { files.addNode(path) }
            files.addPipelinesOfNode()
        } else {
            for path in named { files.add(path) }
            if files.pipelines.isEmpty, files.faultyPipelines.isEmpty { files.addPipelinesOfNode() }
        }
        let configuration = Configuration(files, registry: ModuleList.registry)
        for diagnostic in configuration.diagnostics { Console.error("\(diagnostic)") }
        if configuration.diagnostics.hasErrors { return .failure }
        if configuration.paths.isEmpty { throw UsageError("there is no busd.yaml here and no pipeline; name a file") }
        for file in configuration.paths { Console.print("\(file): ok") }
        return probes ? await probe(configuration.plans) : .success
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
