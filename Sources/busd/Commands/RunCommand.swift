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
        let log = RunLog()
        Signals.listen([SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2]) { signal in
            switch signal {
            case SIGHUP: log.log.warning("SIGHUP changes nothing: reloading is not available in this release")
            case SIGUSR1, SIGUSR2: log.log.warning("SIGUSR\(signal == SIGUSR1 ? 1 : 2) changes nothing")
            default: if !stopped.open() { BusdCommand.end(.failure) }
            }
        }
        let given = try arguments.option("--config")
        let pipelines = try arguments.rest()
        do {
            return try await run(config: given, pipelines: pipelines, log, until: stopped)
        } catch {
            log.tell(failure: "\(error)")
            return .failure
        }
    }

    private static func run(
        config: String?,
        pipelines: [String],
        _ runLog: RunLog,
        until stopped: Gate
    ) async throws -> ExitStatus {
        var files = ConfigurationFiles()
        if let path = config ?? NodeFile.pathInThisFolder { files.addNode(path) }
        if pipelines.isEmpty { files.addPipelinesOfNode() } else { for path in pipelines { files.addPipeline(path) } }
        let log = runLog.adopt(files.node.log)
        let configuration = Configuration(files, registry: ModuleList.registry)
        runLog.tell(configuration.diagnostics)
        if configuration.diagnostics.hasErrors { return .failure }
        guard !configuration.plans.isEmpty else {
            runLog.tell(failure: "there is no pipeline; name a file or set 'pipelines' in the node file")
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
