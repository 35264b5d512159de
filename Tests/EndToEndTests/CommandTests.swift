// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HTTPClient
import Sandbox
import Testing

@Suite("The command line", .timeLimit(.minutes(2)))
struct CommandTests {
    @Test(
        "wrong usage exits 2 with advice, what is not there yet exits 1",
        arguments: [
            (["chek"], 2, "busd: unknown command 'chek'; did you mean 'check'?"),
            (["run", "--confg", "x"], 2, "unknown option '--confg'"),
            (["sandbox", "--ports-from", "many"], 2, "--ports-from needs a port number, not 'many'"),
            (["sandbox", "--dir"], 2, "--dir needs a value"),
            (["modules", "apms"], 1, "there is no module 'apms'; did you mean 'apns'?"),
            (["modules", "--format", "xml"], 2, "--format must be text, json or markdown, not 'xml'"),
            (["graph"], 2, "name a pipeline file"),
            (["graph", "p.yaml", "--format", "png"], 2, "--format must be mermaid, dot or svg, not 'png'"),
            (["graph", "there-is-none.yaml"], 1, "there-is-none.yaml"),
            (["trace", "--user", "u"], 1, "'trace' is not available in this release"),
            (["channels", "list"], 1, "'channels' is not available in this release"),
            (["reload"], 1, "'reload' is not available in this release"),
            (["help", "chekc"], 2, "there is no command 'chekc'"),
        ]
    )
    func usage(arguments: [String], status: Int32, words: String) throws {
        let result = try busd(arguments)
        #expect(result.status == status)
        #expect(result.error.contains(words), "\(result.error)")
        #expect(result.output.isEmpty)
    }

    @Test("version and help exit 0 and write to standard output")
    func help() throws {
        let version = try busd("--version")
        #expect(version.output.hasPrefix("busd "))
        for arguments in [["help"], ["help", "run"], ["run", "--help"], ["modules"], ["modules", "apns"]] {
            let result = try busd(arguments)
            #expect(result.status == 0)
            #expect(!result.output.isEmpty)
            #expect(result.error.isEmpty)
        }
    }

    @Test("check tells everything that is wrong, in every file, with its place")
    func check() async throws {
        try await withFolder { folder in
            let pipeline = """
                pipeline: Bank
                inbound:
                  - soap_bank: { path: /bank }
                  - mobile_app: { path: /bank/mobile, authorization: none, apps: [{ id: retail }] }
                stages:
                  - validate: { max_txt: 5 }
                outbound:
                  - apns: { endpoint: production, topic: com.example.bank, auth: { key: { path: no.p8, key_id: ABCDE12345, team_id: ABCDE12345 } } }
                  - rest_bank: { url: "http://bank" }
                """
            try pipeline.write(to: folder.appending(path: "p.yaml"), atomically: true, encoding: .utf8)
            let node = "listen: 8080\ndrain_timeout: 30\n"
            try node.write(to: folder.appending(path: "busd.yaml"), atomically: true, encoding: .utf8)
            let result = try busd("check", "busd.yaml", "p.yaml", in: folder)
            #expect(result.status == 1)
            let lines = result.error.split(separator: "\n").map(String.init)
            #expect(lines.contains { $0.hasPrefix("busd.yaml:1:9: error: ") })
            #expect(lines.contains { $0.hasPrefix("busd.yaml:2:16: error: ") && $0.contains("30s") })
            #expect(lines.contains { $0.hasPrefix("p.yaml:1:11: error: ") })
            #expect(lines.contains { $0.hasPrefix("p.yaml:6:17: error: ") && $0.contains("did you mean 'max_text'?") })
            #expect(lines.contains { $0.hasPrefix("p.yaml:8:") && $0.contains("no.p8") })
            #expect(lines == lines.sorted { Self.place($0) < Self.place($1) })
        }
    }

    @Test("check and run warn of a door without a lock, and check says ok")
    func open() async throws {
        try await withFolder { folder in
            let pipeline = """
                pipeline: bank
                inbound: [ soap_bank: { path: /bank } ]
                outbound: [ apns: { endpoint: "http://127.0.0.1:1", topic: a.b, auth: { key: { path: k.p8, key_id: ABCDE12345, team_id: ABCDE12345 } } } ]
                """
            try pipeline.write(to: folder.appending(path: "p.yaml"), atomically: true, encoding: .utf8)
            try SigningKey.generate(.p256).pem().write(
                to: folder.appending(path: "k.p8"),
                atomically: true,
                encoding: .utf8
            )
            let result = try busd("check", "p.yaml", in: folder)
            #expect(result.status == 0, "\(result.error)")
            #expect(result.error.contains("warning: soap_bank has no 'auth'"))
            #expect(result.output == "p.yaml: ok\n")
            let probe = try busd("check", "--probe", "p.yaml", in: folder)
            #expect(probe.status == 1)
        }
    }

    @Test("a configuration that is wrong does not start, and a port that is taken is said so")
    func run() async throws {
        try await withFolder { folder in
            let missing = try busd("run", "nowhere.yaml", in: folder)
            #expect(missing.status == 1)
            let nothing = try busd("run", in: folder)
            #expect(nothing.status == 1)
        }
        try await World.with { world in
            let bus = try await world.startBus()
            try world.write(
                "second.yaml",
                "listen: 127.0.0.1:\(bus.port)\nadmin: { listen: 127.0.0.1:0 }\nstore: sqlite:second.db\n"
            )
            let result = try busd("run", "--config", "second.yaml", "bank.yaml", in: world.folder)
            #expect(result.status == 1)
            #expect(result.error.contains("127.0.0.1:\(bus.port)"), "\(result.error)")
        }
    }

    private static func place(_ line: String) -> String {
        let parts = line.split(separator: ":").map(String.init)
        return parts[0] + parts[1...2].map { String(repeating: "0", count: 6 - $0.count) + $0 }.joined()
    }
}
