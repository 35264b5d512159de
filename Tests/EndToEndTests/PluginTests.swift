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
        try build(checkout.appending(path: "Examples/AcmeBank"), scratch: scratch)
        return scratch + "/debug/libAcmeBank.so"
    }

    private static func build(_ package: URL, scratch: String) throws {
        let build = Process()
        build.executableURL = URL(filePath: "/usr/bin/env")
        build.arguments = ["swift", "build", "--package-path", package.path, "--scratch-path", scratch]
        let output = Pipe()
        build.standardOutput = output
        build.standardError = output
        try build.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        build.waitUntilExit()
        try #require(build.terminationStatus == 0, "\(text)")
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

            // The commands that tell of modules know it.
            for words in [["modules", "acme_lines"], ["modules", "--config", "busd.yaml"], ["schema"]] {
                let told = try await OtherProgram.run(BusProcess.program, words, in: world.folder)
                #expect(told.status == 0, "\(told.error)")
                #expect(told.output.contains("acme_lines"), "\(words)")
            }
            let elsewhere = try busd("modules", "acme_lines")
            #expect(elsewhere.status == 1)
            let alone = try busd("check", "acme.yaml", in: world.folder)
            #expect(alone.status == 0, "\(alone.error)")

            // Its settings are checked like any other's, and its error reaches the operator in its own words.
            try world.write("acme.yaml", Self.pipeline(world, word: "lottery").replacing("word:", with: "wrd:"))
            let check = try busd("check", "busd.yaml", in: world.folder)
            #expect(check.status == 1)
            #expect(check.error.contains("did you mean 'word'?"), "\(check.error)")
            try world.write("acme.yaml", Self.pipeline(world, word: ""))
            for word in ["run", "check"] {
                let run = try busd(word, in: world.folder)
                #expect(run.status == 1)
                #expect(run.error.contains("an empty word is in every text"), "\(run.error)")
            }
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

    @Test(
        "is refused with advice where Bus has changed, without anybody having stamped it",
        arguments: [
            // The field is found by its offset, so such a library would read and write past what busd has.
            Change("a field", "public struct Notification: Sendable, Equatable {", "public var extra = 0"),
            // Here the library would not even find what it was linked with.
            Change("a name", "public struct HTTPRoute", "public struct Extra {}", renaming: ("HTTPRoute", "HTTPWay")),
        ]
    )
    func changed(_ change: Change) async throws {
        try await withFolder { folder in
            let manager = FileManager.default
            for part in ["Sources/Bus", "Examples/AcmeBank"] {
                let copy = folder.appending(path: part)
                try manager.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
                try manager.copyItem(at: checkout.appending(path: part), to: copy)
            }
            try change.make(in: folder)
            let package = folder.appending(path: "Examples/AcmeBank")
            try Self.build(package, scratch: package.appending(path: ".build").path)
            let node = "plugins: [\(package.path)/.build/debug/libAcmeBank.so]\npipelines: []\n"
            try node.write(to: folder.appending(path: "busd.yaml"), atomically: true, encoding: .utf8)
            let result = try busd("check", "busd.yaml", in: folder)
            #expect(result.status == 1)
            #expect(result.error.hasPrefix("busd.yaml:1:11: error: the plugin"), "\(result.error)")
            #expect(result.error.contains("was built against another Bus"), "\(result.error)")
            #expect(result.error.contains("build it anew against this release's Sources/Bus"), "\(result.error)")
        }
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

/// A change of Bus's sources that a developer makes and says nothing about.
struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let place: String
    private let line: String
    private let renaming: (old: String, new: String)?

    init(_ name: String, _ place: String, _ line: String, renaming: (old: String, new: String)? = nil) {
        testDescription = name
        self.place = place
        self.line = line
        self.renaming = renaming
    }

    /// Changes the copies of Bus and of the example in `folder`.
    func make(in folder: URL) throws {
        var places = 0
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
            var text = try String(contentsOf: file, encoding: .utf8)
            let old = text
            if let found = text.range(of: place) {
                places += 1
                let isInside = place.hasSuffix("{")
                text.insert(contentsOf: "\n\(line)\n", at: isInside ? found.upperBound : found.lowerBound)
            }
            if let renaming { text = text.replacing(renaming.old, with: renaming.new) }
            if text != old { try text.write(to: file, atomically: true, encoding: .utf8) }
        }
        try #require(places == 1, "\(place) is at \(places) places")
    }
}
