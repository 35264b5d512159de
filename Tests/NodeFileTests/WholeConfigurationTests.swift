// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Foundation
import Testing
import YAML

@testable import busd

/// What is wrong in one place hides nothing that is wrong in another.
struct WholeConfigurationTests {
    private static let fine = """
        inbound: [{ rest_bank: { path: /NAME, auth: { bearer: t } } }]
        outbound: [{ rest_bank: { url: "http://127.0.0.1/x" } }]

        """

    /// Checks a folder's files; returns what was found, without the folder's name.
    private func problems(
        _ files: [String: String],
        registry: Registry = ModuleList.registry,
        _ read: (inout ConfigurationFiles, _ folder: String) -> Void = { files, folder in
            files.addNode("\(folder)/busd.yaml")
            files.addPipelinesOfNode()
        }
    ) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "busd-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        var named = ConfigurationFiles()
        read(&named, folder.path)
        return Configuration(named, registry: registry).diagnostics.map(\.description).map {
            $0.replacingOccurrences(of: "\(folder.path)/", with: "")
        }
    }

    @Test("A fault in the node file hides none of its pipelines, and brings no others in their place")
    func faultyNode() throws {
        let found = try problems([
            "busd.yaml": "lisen: 127.0.0.1:0\nretention: 5\npipelines: [p/a.yaml]\n",
            "p/a.yaml": "pipeline: a\nstagse: []\n" + Self.fine.replacing("NAME", with: "a"),
            "pipelines/other.yaml": "wrong: 1\n",
        ])
        #expect(
            found == [
                "busd.yaml:1:1: error: unknown key 'lisen'; did you mean 'listen'?",
                "busd.yaml:2:12: error: 'retention' must be a duration, and \"5\" has no unit; did you mean \"5d\"?",
                "p/a.yaml:2:1: error: unknown key 'stagse'; did you mean 'stages'?",
            ]
        )
    }

    @Test(
        "A node file of which the pipelines are not known brings none",
        arguments: [
            ("pipelines: {}\n", "busd.yaml:1:12: error: 'pipelines' must be a list, not a map"),
            ("listen: [\n", "busd.yaml:2:1: error: not valid YAML"),
        ]
    )
    func unknownPipelines(node: String, problem: String) throws {
        let found = try problems(["busd.yaml": node, "pipelines/other.yaml": "wrong: 1\n"])
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix(problem) == true, "\(found)")
    }

    @Test("A module with one wrong option is checked further, and nothing is said of stand-ins")
    func faultyModules() throws {
        let pipeline = """
            pipeline: p
            inbound:
              - mobile_app: { path: /m, authorization: bank, apps: [{ id: a }], pth: 1 }
              - soap_bank: { path: /s, auth: { basic: {} } }
            outbound:
              - apns: { endpoint: x, topic: a, auth: { key: { path: no.p8, key_id: short, team_id: ABCDE12345 } }, ca: no.pem }
              - fcm: { service_account: "", connections: 0, ca: none.pem }
              - sms_gateway: { url: "http://gateway.example/", username: a, password: b, rate: 0, ca: gone.pem }

            """
        let found = try problems(["busd.yaml": "pipelines: [p.yaml]\n", "p.yaml": pipeline])
        let places = found.map { $0.replacing("p.yaml:", with: "").prefix { $0 != " " } }
        #expect(
            places == [
                "3:44:", "3:69:", "4:36:", "4:36:", "6:23:", "6:57:", "6:72:", "6:108:", "7:29:", "7:46:", "7:53:",
                "8:25:", "8:84:", "8:91:",
            ],
            "\(found.joined(separator: "\n"))"
        )
        for file in ["no.p8", "no.pem", "none.pem", "gone.pem"] {
            #expect(found.contains { $0.contains("\(file) cannot be read: No such file or directory") })
        }
    }

    @Test("Paths of one pipeline and of several collide where one is the other's or above it")
    func paths() throws {
        func pipeline(_ name: String, _ path: String) -> String {
            "pipeline: \(name)\n" + Self.fine.replacing("/NAME", with: path)
        }
        let files = [
            "busd.yaml": "pipelines: [a.yaml, b.yaml, c.yaml, d.yaml]\n", "a.yaml": pipeline("a", "/x/y"),
            "b.yaml": pipeline("b", "/x/y/z"), "c.yaml": pipeline("c", "/x"), "d.yaml": pipeline("d", "/xy"),
        ]
        #expect(
            try problems(files) == [
                "b.yaml:2:13: error: the path '/x/y/z' collides with '/x/y' at a.yaml:2:13",
                "c.yaml:2:13: error: the path '/x' collides with '/x/y' at a.yaml:2:13",
            ]
        )
    }

    @Test(
        "A path has one form only, in a module of somebody else's too",
        arguments: ["acme", "/acme/", "/a//b", "/a/../b", "/./a", "/a%2fb", "/a?b", "/"]
    )
    func forms(path: String) throws {
        var registry = ModuleList.registry
        registry.register(Silent.self)
        let pipeline = Self.fine.replacing(
            "rest_bank: { path: /NAME, auth: { bearer: t } }",
            with: "silent: { path: '\(path)' }"
        )
        let files = ["busd.yaml": "pipelines: [p.yaml]\n", "p.yaml": "pipeline: p\n\(pipeline)"]
        let found = try problems(files, registry: registry)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("p.yaml:2:13: error: the path '\(path)' must ") == true, "\(found)")
        let own = "pipeline: p\n" + Self.fine.replacing("/NAME", with: "'\(path)'")
        #expect(try problems(["busd.yaml": "pipelines: [p.yaml]\n", "p.yaml": own]).count == 1)
    }

    @Test("What modules serve counts, whether their settings tell it or not")
    func routes() async throws {
        var registry = ModuleList.registry
        registry.register(Secretive.self)
        let text = """
            pipeline: p
            inbound:
              - rest_bank: { path: /a, auth: { bearer: t } }
              - secretive: { path: /a/b }
              - secretive: { path: b }
                name: second
            outbound: [{ rest_bank: { url: "http://127.0.0.1/x" } }]
            """
        let file = try PipelineFile.read(YAML.parse(text, file: "f"))
        let plan = PipelinePlan(file, registry: registry, context: SettingsContext())
        #expect(plan.diagnostics.isEmpty)
        #expect(
            await RouteCheck.diagnostics([plan]).map(\.description) == [
                "f:5:5: error: the path 'b' must begin with / and not end with it, without an empty part between",
                "f:4:5: error: the path '/a/b' collides with '/a' at f:3:5",
            ]
        )
    }

    @Test("Only what was named is checked; of the node it is known what pipelines need")
    func named() throws {
        let files = [
            "busd.yaml": "nonsense: 1\nlisten: 0.0.0.0:0\nplugins: [none.so]\n",
            "p.yaml": "pipeline: p\n" + Self.fine.replacing("NAME", with: "p"),
        ]
        let found = try problems(files) { read, folder in
            read.add("\(folder)/p.yaml")
            read.learnNode("\(folder)/busd.yaml")
        }
        #expect(found.count == 2, "\(found)")
        #expect(found[0].hasPrefix("busd.yaml:3:11: error: the plugin 'none.so' cannot be loaded"))
        #expect(found[1].hasPrefix("p.yaml:2:42: warning: callers' secrets would cross the network in clear text"))
    }

    @Test(
        "Listeners that a network reaches without TLS are doubts",
        arguments: [
            ("admin: { listen: 0.0.0.0:0 }", ["busd.yaml:1:18: warning: the admin token would cross the network"]),
            ("admin: { listen: \"[::]:0\" }", ["busd.yaml:1:18: warning: the admin token would cross the network"]),
            ("listen: []", ["busd.yaml:1:9: error: 'listen' must not be empty"]),
            ("listen: 127.0.0.1:99999", ["busd.yaml:1:9: error: 'listen' must be an IP address and a port"]),
            ("listen: [127.0.0.1:0, \"[::1]:0\"]", []),
        ] as [(String, [String])]
    )
    func doors(node: String, expected: [String]) throws {
        let found = try problems(["busd.yaml": "\(node)\npipelines: []\n"])
        #expect(found.count == expected.count, "\(found)")
        for (one, beginning) in zip(found, expected) { #expect(one.hasPrefix(beginning), "\(one)") }
    }
}

/// An adapter that says in its settings where it is served, whatever that is.
private struct Silent: InboundAdapter {
    struct Settings: ModuleSettings {
        let path: String
        init(from reader: inout SettingsReader) { path = reader.required("path", "A path.") }
    }
    static let name = "silent"
    static let summary = "Serves a path."
    static func paths(_ settings: Settings) -> [String] { [settings.path] }
    init(settings: Settings, context: ModuleContext) {}
}

/// An adapter that does not say it.
private struct Secretive: InboundAdapter {
    static let name = "secretive"
    static let summary = "Serves a path and does not tell."
    let routes: [HTTPRoute]
    init(settings: Silent.Settings, context: ModuleContext) {
        routes = [HTTPRoute(.exact, path: settings.path, methods: ["GET"]) { _ in HTTPResponse(status: 204) }]
    }
}
