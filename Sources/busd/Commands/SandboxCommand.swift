// SPDX-License-Identifier: Apache-2.0

import Glibc
import Sandbox
import Threads

/// The command `sandbox`.
enum SandboxCommand: Command {
    static let name = "sandbox"
    static let synopsis = "[--dir DIR] [--ports-from N]"
    static let summary = "stand in for the outside world on loopback"
    static let details = """
        Writes keys, a CA and a README with the addresses into DIR (var/sandbox) and listens on ports from N (9400).
        """

    static let defaultFolder = "var/sandbox"
    static let firstPort: UInt16 = 9400

    static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
        let folder = try arguments.option("--dir") ?? defaultFolder
        let word = try arguments.option("--ports-from") ?? "\(firstPort)"
        guard let port = UInt16(word) else { throw UsageError("--ports-from needs a port number, not '\(word)'") }
        try arguments.finish()
        let stopped = Gate()
        Signals.listen([SIGTERM, SIGINT]) { _ in stopped.open() }
        let sandbox = try Sandbox.start(directory: folder, portsFrom: port)
        Console.print("APNs     \(sandbox.apns.endpoint)")
        Console.print("control  \(sandbox.control)")
        Console.print("keys     \(sandbox.directory)")
        await stopped.wait()
        await sandbox.stop()
        return .success
    }
}
