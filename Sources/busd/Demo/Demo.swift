// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Glibc
import HTTPClient
import HTTPServer
import Sandbox
import YAML

/// A bus between a bank and phones that are all played here, over real connections.
struct Demo {
    static let folder = "var/demo"

    let sandbox: Sandbox
    let node: Node
    let client: HTTPClient
    let timeline: DemoTimeline

    /// Starts the sandbox, then the bus with a pipeline that speaks to it.
    static func start(pipeline: String) async throws -> Demo {
        let sandbox = try Sandbox.start(
            directory: SandboxCommand.defaultFolder,
            portsFrom: SandboxCommand.firstPort
        )
        let registry = ModuleList.registry
        var files = ConfigurationFiles()
        files.addPipeline(pipeline)
        let configuration = Configuration(files, registry: registry, node: try nodeFile())
        guard !configuration.diagnostics.hasErrors else {
            await sandbox.stop()
            throw ConfigurationError(configuration.diagnostics)
        }
        let timeline = DemoTimeline()
        let log = StandardErrorLog.make(configuration.node.log)
        let node = try await Node(configuration, log: log) { timeline.add($0) }
        Console.print("sandbox  Apple \(sandbox.apns.endpoint), Google \(sandbox.fcm.endpoint)")
        Console.print("         SMS gateway \(sandbox.sms.endpoint), bank \(sandbox.bank.url)")
        Console.print("         control \(sandbox.control)")
        Console.print("bus      http://\(node.server.addresses[0]), admin http://\(node.admin.addresses[0])")
        return Demo(sandbox: sandbox, node: node, client: HTTPClient(), timeline: timeline)
    }

    /// What to try next.
    var invitation: String {
        """

        The bus stays up. In another terminal, what arrived on the phones, and what the bank was told:

            curl \(sandbox.control)/records
            curl \(sandbox.control)/bank/calls

        The README shows how to send a notification of your own. Ctrl-C ends the demo.
        """
    }

    func stop() async {
        await node.stop()
        await sandbox.stop()
    }

    /// A node beside whatever else is installed: its own store, made anew each time.
    private static func nodeFile() throws -> NodeFile {
        for suffix in ["", "-wal", "-shm"] { unlink("\(folder)/busd.db\(suffix)") }
        let text = """
            store: sqlite:\(folder)/busd.db
            log: { level: error }
            admin: { token: demo }
            """
        return try NodeFile.read(try YAML.parse(text, file: "demo"))
    }
}
