// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import Sandbox
import Testing

@Suite("A running bus minds its signals and its log", .timeLimit(.minutes(2)))
struct ProcessMannersTests {
    @Test("a signal that means nothing here is a line in the log, and ends nothing")
    func signals() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            for (number, words) in [
                (SIGUSR1, "SIGUSR1 changes nothing"), (SIGUSR2, "SIGUSR2 changes nothing"),
                (SIGHUP, "SIGHUP changes nothing"),
            ] {
                kill(bus.pid, number)
                #expect(await bus.says(words))
            }
            kill(bus.pid, SIGPIPE)
            let health = try await world.send("GET", bus, "/mobile/v1/apps/retail", "", "")
            #expect(health.status == 200)
            #expect(bus.terminate() == 0)
        }
    }

    @Test("with log.format json every line on standard error is JSON, what was found in the files too")
    func json() async throws {
        try await World.with(node: "log: { format: json, level: error }") { world in
            // No auth at the bank's door, so there is a doubt to tell; no run ends here, for the port is no port.
            let taken = try await world.startSilent()
            #expect(taken.contains { $0["level"] == "warning" && $0["file"] == "bank.yaml" && $0["line"] == "3" })
            try world.write("bank.yaml", "pipeline: Bank\n")
            let faulty = try await Self.lines(["run"], in: world.folder)
            #expect(faulty.status == 1)
            #expect(faulty.lines.count == 3)
            #expect(faulty.lines.allSatisfy { $0["level"] == "error" && $0["file"] == "bank.yaml" })
            let none = try await Self.lines(["run", "none.yaml"], in: world.folder)
            #expect(none.status == 1)
            #expect(none.lines.first?["message"] == "cannot be read: No such file or directory")
        }
    }

    /// Runs `busd` to its end; every line that it writes on standard error must be a JSON object of strings.
    static func lines(_ words: [String], in folder: URL) async throws -> (status: Int32, lines: [[String: String]]) {
        let result = try await OtherProgram.run(BusProcess.program, words, in: folder)
        return (
            result.status,
            try result.error.split(separator: "\n").map { line in
                try #require(try? JSONDecoder().decode([String: String].self, from: Data(line.utf8)), "\(line)")
            }
        )
    }
}

extension World {
    /// Starts a bus whose admin port is taken, so that it ends by itself; returns its log.
    fileprivate func startSilent() async throws -> [[String: String]] {
        let port = URL(string: sandbox.control)?.port ?? 0
        try write(
            "busd.yaml",
            """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:\(port) }
            store: sqlite:busd.db
            pipelines: [bank.yaml]
            log: { format: json, level: error }
            """
        )
        let run = try await ProcessMannersTests.lines(["run"], in: folder)
        #expect(run.status == 1)
        #expect(run.lines.last?["message"]?.contains("cannot listen") == true, "\(run.lines)")
        return run.lines
    }
}
