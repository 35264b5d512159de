// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("busd check", .timeLimit(.minutes(2)))
struct CheckTests {
    private static let fine = """
        inbound: [{ rest_bank: { path: /api, auth: { bearer: t } } }]
        outbound: [{ rest_bank: { url: "http://127.0.0.1/x" } }]

        """

    private func check(_ words: [String], _ files: [String: String]) async throws -> ProgramResult {
        try await withFolder { folder in
            for (name, text) in files {
                try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
            }
            return try await OtherProgram.run(BusProcess.program, ["check"] + words, in: folder)
        }
    }

    @Test("a faulty node file hides nothing of its pipelines, and what was named is what is checked")
    func named() async throws {
        let files = [
            "busd.yaml": "lisen: 1\npipelines: [a.yaml]\n", "a.yaml": "pipeline: A\n" + Self.fine,
            "b.yaml": "pipeline: b\n" + Self.fine,
        ]
        for words in [[], ["busd.yaml"], ["--config", "busd.yaml"]] {
            let all = try await check(words, files)
            #expect(all.status == 1)
            let places = all.error.split(separator: "\n").map { $0.split(separator: " ")[0] }
            #expect(places == ["a.yaml:1:11:", "busd.yaml:1:1:"], "\(words): \(all.error)")
        }
        let one = try await check(["b.yaml"], files)
        #expect(one.status == 0, "\(one.error)")
        #expect(one.output == "b.yaml: ok\n")
        let broken = try await check(["c.yaml"], files.merging(["c.yaml": "a: [\n"]) { $1 })
        #expect(broken.status == 1)
        #expect(broken.error.split(separator: "\n").count == 1, "\(broken.error)")
        #expect(broken.error.hasPrefix("c.yaml:2:1: error: not valid YAML"))
    }

    @Test("of twenty thousand errors a hundred are shown, soon")
    func many() async throws {
        let lines = (0..<20_000).map { "key\($0): 1\n" }.joined()
        let began = ContinuousClock.now
        let result = try await check(["busd.yaml"], ["busd.yaml": lines])
        #expect(result.status == 1)
        let shown = result.error.split(separator: "\n")
        #expect(shown.count == 101)
        #expect(shown.last == "and 19900 more errors")
        #expect(ContinuousClock.now - began < .seconds(20))
    }

    @Test("what is no regular file is named, wherever a file is read, and nobody waits for it")
    func pipes() async throws {
        try await withFolder { folder in
            #expect(mkfifo(folder.appending(path: "pipe").path, 0o600) == 0)
            let pipeline = """
                pipeline: p
                inbound: [{ rest_bank: { path: /api, auth: { bearer: "${file:pipe}" } } }]
                stages: [{ map_ids: { aliases: pipe } }]
                outbound:
                  - fcm: { service_account: pipe, ca: pipe }
                  - apns: { topic: a, auth: { certificate: { path: pipe } } }
                  - soap_bank: { url: "https://bank/", auth: { client_certificate: { path: pipe } } }
                """
            let node = """
                tls: { certificate: pipe, key: pipe, client_ca: pipe }
                pipelines: [p.yaml, pipe]
                plugins: [pipe]
                store: sqlite:pipe

                """
            try pipeline.write(to: folder.appending(path: "p.yaml"), atomically: true, encoding: .utf8)
            try node.write(to: folder.appending(path: "busd.yaml"), atomically: true, encoding: .utf8)
            let result = try await OtherProgram.run(BusProcess.program, ["check"], in: folder)
            #expect(result.status == 1)
            let lines = result.error.split(separator: "\n")
            #expect(lines.count == 12, "\(result.error)")
            #expect(lines.allSatisfy { $0.hasSuffix("it is a named pipe, not a regular file") }, "\(result.error)")
        }
    }

    @Test("a module is made on trial, so that what it refuses is told by check")
    func trial() async throws {
        let files = ["p.yaml": "pipeline: p\n" + Self.fine + "x-a: 1\n"]
        let result = try await check(["p.yaml"], files)
        #expect(result.status == 0, "\(result.error)")
        #expect(result.error.isEmpty)
    }
}
