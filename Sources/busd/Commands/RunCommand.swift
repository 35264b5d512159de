// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Glibc
import HTTPServer
import Threads

/// The command `run`.
enum RunCommand: Command {
    static let name = "run"
    static let synopsis = "[--config busd.yaml] [PIPELINE.yaml ...]"
    static let summary = "start the bus"
    static let details = """
        Without --config, busd.yaml of this folder is used where there is one, and defaults where there is none.
        Pipeline files on the command line take the place of those that the node file names.
        SIGTERM and SIGINT finish what is under way and stop; a second one stops at once.
        """

    static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
        // Before anything else: a signal that comes early is heard too.
        let stopped = Gate()
        Signals.listen([SIGTERM, SIGINT, SIGHUP]) { signal in
            if signal == SIGHUP {
                Console.error("busd run: reloading is not available in this release")
            } else if !stopped.open() {
                BusdCommand.end(.failure)
            }
        }
        let given = try arguments.option("--config")
        let pipelines = try arguments.rest()
        var files = ConfigurationFiles()
        if let path = given ?? NodeFile.pathInThisFolder { files.addNode(path) }
        if pipelines.isEmpty { files.addPipelinesOfNode() } else { for path in pipelines { files.addPipeline(path) } }
        let configuration = Configuration(files, registry: ModuleList.registry)
        for diagnostic in configuration.diagnostics { Console.error("\(diagnostic)") }
        if configuration.diagnostics.hasErrors { return .failure }
        let log = StandardErrorLog.make(configuration.node.log)
        guard !configuration.plans.isEmpty else {
            Console.error("busd run: there is no pipeline; name a file or set 'pipelines' in the node file")
            return .failure
        }
        let node = try await Node(configuration, log: log)
        log.info(
            "ready",
            [
                "listen": node.server.addresses.map { "\($0)" }.joined(separator: ","),
                "admin": node.admin.addresses.map { "\($0)" }.joined(separator: ","),
                "version": Version.current,
                "pipelines": configuration.plans.map(\.file.name).joined(separator: ","),
            ]
        )
        await stopped.wait()
        await node.stop()
        log.info("stopped")
        return .success
    }
}
