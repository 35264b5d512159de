// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import Sandbox
import Testing

@Suite("A library that was built apart", .serialized, .timeLimit(.minutes(10)))  // They share one build.
struct PluginTests {
    /// The example's library, built by the package manager as a bank would build it.
    private static func library() throws -> String {
        let scratch = checkout.appending(path: ".build/acme-bank").path
        let package = checkout.appending(path: "Examples/AcmeBank").path
        let build = Process()
        build.executableURL = URL(filePath: "/usr/bin/env")
        build.arguments = ["swift", "build", "--package-path", package, "--scratch-path", scratch]
        let output = Pipe()
        build.standardOutput = output
        build.standardError = output
        try build.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        build.waitUntilExit()
        try #require(build.terminationStatus == 0, "\(text)")
        return scratch + "/debug/libAcmeBank.so"
    }

    @Test("is loaded, its modules register, and the bus knows its types as its own")
    func loaded() async throws {
        let library = try Self.library()
        try await World.with { world in
            try world.write(
                "busd.yaml",
                """
                listen: 127.0.0.1:0
                admin: { listen: 127.0.0.1:0, token: operator }
                store: sqlite:busd.db
                plugins: [\(library)]
                pipelines: [acme.yaml]
                """
            )
            try world.write("acme.yaml", Self.pipeline(world, word: "lottery"))
            let bus = try await world.startBus()
            try await world.register("anna", device: "d1", token: "aa", at: bus)
            // The adapter's routes and the engine's reply, and the stage's refusal, cross the library's border.
            let lines = "l1|anna|your card is ready\nl2|anna|win the lottery\nl1|anna|again\nnonsense\n"
            let answer = try await world.send("POST", bus, "/acme", "text/plain", lines)
            #expect(
                String(decoding: answer.body, as: UTF8.self) == """
                    l1 QUEUED
                    l2 REFUSED: pushContent.text holds a forbidden word
                    l1 DUPLICATE
                    not a notification: a line is id|user|text

                    """
            )
            await world.sandbox.apns.arrived(1)
            #expect(bus.terminate() == 0)

            // Its settings are checked like any other's, and its error reaches the operator in its own words.
            try world.write("acme.yaml", Self.pipeline(world, word: "lottery").replacing("word:", with: "wrd:"))
            let check = try busd("check", "busd.yaml", in: world.folder)
            #expect(check.status == 1)
            #expect(check.error.contains("did you mean 'word'?"), "\(check.error)")
            try world.write("acme.yaml", Self.pipeline(world, word: ""))
            let run = try busd("run", in: world.folder)
            #expect(run.status == 1)
            #expect(run.error.contains("an empty word is in every text"), "\(run.error)")
        }
    }

    @Test("is refused with advice where it is no plugin, or was built against something else")
    func refused() async throws {
        try await withFolder { folder in
            let source = """
                const char *busd_plugin_stamp(void) { return "busd 1234, another compiler"; }
                void busd_plugin_register(void *registry) { (void)registry; }
                """
            try source.write(to: folder.appending(path: "other.c"), atomically: true, encoding: .utf8)
            try "int nothing;".write(to: folder.appending(path: "none.c"), atomically: true, encoding: .utf8)
            for name in ["other", "none"] {
                let compiler = Process()
                compiler.executableURL = URL(filePath: "/usr/bin/env")
                compiler.arguments = ["cc", "-shared", "-fPIC", "-o", "lib\(name).so", "\(name).c"]
                compiler.currentDirectoryURL = folder
                try compiler.run()
                compiler.waitUntilExit()
                try #require(compiler.terminationStatus == 0)
            }
            let node = "plugins:\n  - libother.so\n  - libnone.so\n  - nowhere.so\npipelines: []\n"
            try node.write(to: folder.appending(path: "busd.yaml"), atomically: true, encoding: .utf8)
            let result = try busd("check", "busd.yaml", in: folder)
            #expect(result.status == 1)
            let lines = result.error.split(separator: "\n").map(String.init)
            #expect(lines.count == 3, "\(result.error)")
            #expect(lines[0].hasPrefix("busd.yaml:2:5: error: the plugin 'libother.so' was built against another Bus"))
            #expect(lines[1].hasPrefix("busd.yaml:3:5: error: the plugin 'libnone.so' is no plugin"))
            #expect(lines[2].hasPrefix("busd.yaml:4:5: error: the plugin 'nowhere.so' cannot be loaded"))
        }
    }

    @Test("needs the stamp of the sources it is built from")
    func stamp() throws {
        let check = Process()
        check.executableURL = checkout.appending(path: "scripts/stamp")
        check.arguments = ["--check"]
        try check.run()
        check.waitUntilExit()
        #expect(check.terminationStatus == 0, "Sources/Bus has changed: run make stamp")
    }

    private static func pipeline(_ world: World, word: String) -> String {
        """
        pipeline: acme
        inbound:
          - acme_lines: { path: /acme }
          - mobile_app: { path: /mobile/v1, authorization: none, apps: [{ id: retail }] }
        stages:
          - acme_curfew: { word: "\(word)" }
        outbound:
          - apns:
              endpoint: \(world.sandbox.apns.endpoint)
              topic: com.example.bank
              auth: { key: { path: \(world.sandbox.keyFile), key_id: \(world.sandbox.keyID), team_id: \(world.sandbox.teamID) } }
              ca: \(world.sandbox.authorityFile)
        """
    }
}
