// SPDX-License-Identifier: Apache-2.0

import Bus
import Glibc
import Sandbox
import Threads

/// The command `sandbox`.
enum SandboxCommand: Command {
    static let name = "sandbox"
    static let synopsis = "[--dir DIR] [--ports-from N] [--rules FILE.yaml]"
    static let summary = "stand in for the outside world on loopback"
    static let details = """
        Writes keys, a CA and a README with the addresses into DIR (var/sandbox) and listens on ports from N (9400).
        FILE.yaml holds failures that the stand-ins begin with; over HTTP they can be changed at any time.
        """

    static let defaultFolder = "var/sandbox"
    static let firstPort: UInt16 = 9400

    static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
        let folder = try arguments.option("--dir") ?? defaultFolder
        let word = try arguments.option("--ports-from") ?? "\(firstPort)"
        guard let port = UInt16(word) else { throw UsageError("--ports-from needs a port number, not '\(word)'") }
        let rulesFile = try arguments.option("--rules")
        try arguments.finish()
        var rules: [SandboxService: [PushRule]] = [:]
        if let rulesFile {
            var diagnostics: [Diagnostic] = []
            rules = SandboxRules.load(rulesFile, diagnostics: &diagnostics)
            DiagnosticList(diagnostics).print()
            if diagnostics.hasErrors { return .failure }
        }
        let stopped = Gate()
        Signals.listen([SIGTERM, SIGINT]) { _ in stopped.open() }
        let sandbox = try Sandbox.start(directory: folder, portsFrom: port)
        for (service, rules) in rules { sandbox.standIn(service).setRules(rules) }
        Console.print("APNs     \(sandbox.apns.endpoint)")
        Console.print("FCM      \(sandbox.fcm.endpoint)")
        Console.print("SMS      \(sandbox.sms.endpoint)")
        Console.print("control  \(sandbox.control)")
        Console.print("keys     \(sandbox.directory)")
        await stopped.wait()
        await sandbox.stop()
        return .success
    }
}
