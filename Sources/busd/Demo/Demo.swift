// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Glibc
import HTTPClient
import HTTPServer
import Sandbox
import Synchronization
import Threads
import YAML

/// A bus between a bank and phones that are all played here, over real connections.
struct Demo {
    static let folder = "var/demo"

    private let sandbox: Sandbox
    private let node: Node
    private let client: HTTPClient
    private let timeline: DemoTimeline

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
        Console.print("sandbox  APNs \(sandbox.apns.endpoint), control \(sandbox.control)")
        Console.print("bus      http://\(node.server.addresses[0]), admin http://\(node.admin.addresses[0])")
        return Demo(sandbox: sandbox, node: node, client: HTTPClient(), timeline: timeline)
    }

    /// Registers phones, sends notifications and waits until each has come to its end.
    ///
    /// - Returns: whether everything arrived.
    func play() async throws -> Bool {
        let script = DemoScript(run: Clock.wallMilliseconds())
        Console.print("\nphones register")
        for phone in script.phones {
            let answer = try await post("/mobile/v1/devices", "application/json", phone.registration)
            Console.print("  \(phone.user) on \(phone.deviceID): HTTP \(answer.status)")
            guard answer.status == 201 else { return false }
        }
        var hasArrived = true
        for scene in script.scenes {
            Console.print("\n\(scene.title)")
            if let rules = scene.rules { try await setRules(rules) }
            timeline.expect(scene.notification, recipients: scene.recipients)
            let path = "/pigeon/services/SBIInboundWebService"
            let answer = try await post(path, "text/xml; charset=utf-8", scene.request)
            Console.print("  the bank gets HTTP \(answer.status)")
            guard answer.status == 200, await timeline.isComplete(within: .seconds(20)) else {
                Console.print("  it did not arrive")
                hasArrived = false
                continue
            }
        }
        let arrived = sandbox.apns.records().filter { $0.status == 200 }.count
        Console.print("\n\(arrived) pushes arrived on the phones")
        return hasArrived && arrived >= script.scenes.reduce(0) { $0 + $1.pushes }
    }

    /// What to try next.
    var invitation: String {
        """

        The bus stays up. In another terminal, what arrived on the phones:

            curl \(sandbox.control)/records

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
            log: { level: warning }
            admin: { token: demo }
            """
        return try NodeFile.read(try YAML.parse(text, file: "demo"))
    }

    private func post(_ path: String, _ type: String, _ body: String) async throws -> HTTPClientResponse {
        let url = "http://\(node.server.addresses[0])\(path)"
        return try await client.send(
            HTTPClientRequest(
                method: "POST",
                url: url,
                headers: [(name: "Content-Type", value: type)],
                body: Array(body.utf8)
            )
        )
    }

    private func setRules(_ rules: String) async throws {
        let request = HTTPClientRequest(method: "PUT", url: "\(sandbox.control)/rules", body: Array(rules.utf8))
        _ = try await client.send(request)
    }
}
