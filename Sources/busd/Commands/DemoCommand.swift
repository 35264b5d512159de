// SPDX-License-Identifier: Apache-2.0

import Bus
import Glibc
import Threads

/// The command `demo`.
enum DemoCommand: Command {
    static let name = "demo"
    static let synopsis = "[--once]"
    static let summary = "sandbox, bus and real requests, with each notification's timeline"
    static let details = """
        Runs pipelines/demo.yaml of this folder. Stays up for requests of your own; with --once it ends as soon as
        everything has arrived, with 0, or with 1 when something has not.
        """

    static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
        let isOnce = arguments.flag("--once")
        try arguments.finish()
        let stopped = Gate()
        Signals.listen([SIGTERM, SIGINT]) { _ in stopped.open() }
        let demo = try await Demo.start(pipeline: "pipelines/demo.yaml")
        let hasArrived = try await demo.play()
        if !isOnce {
            Console.print(demo.invitation)
            await stopped.wait()
        }
        await demo.stop()
        return isOnce && !hasArrived ? .failure : .success
    }
}
