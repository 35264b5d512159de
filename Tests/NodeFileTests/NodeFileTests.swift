// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPServer
import Testing
import YAML

@testable import busd

struct NodeFileTests {
    static let context = SettingsContext(
        variables: Variables(
            environment: {
                ["TOKEN": "t:#\"\n@/", "PASSWORD": "p@ss/w%41:rd", "URL": "sqlite:x/${TOKEN}", "PORT": "8080"][$0]
            },
            readFile: { (path) throws(SettingsProblem) in
                guard path == "etc/db.name" else { throw SettingsProblem("No such file or directory") }
                return Array("pushes\n".utf8)
            }
        )
    )

    private func read(_ text: String) throws(ConfigurationError) -> NodeFile {
        try NodeFile.read(YAML.parse(text, file: "etc/busd.yaml"), context: Self.context)
    }

    private func problems(_ text: String) -> [String] {
        do {
            _ = try read(text)
            return []
        } catch { return error.diagnostics.map { String($0.description.dropFirst("etc/busd.yaml:".count)) } }
    }

    @Test func withoutAFileDefaultsCount() {
        let node = NodeFile.withoutFile
        #expect(node.listen.map(\.description) == ["127.0.0.1:8080"])
        #expect(node.admin.listen.description == "127.0.0.1:8081")
        #expect(node.connections.limit == 4_096)
        #expect(node.connections.perAddress == 512)
        #expect(node.admin.token == nil)
        #expect(node.store == .sqlite(FilePath("var/busd.db")))
        #expect(node.pipelines.map(\.resolved) == ["pipelines/*.yaml"])
        #expect(node.log.level == .info)
        #expect(node.log.format == .text)
        #expect(node.retention == .seconds(30 * 86_400))
        #expect(node.drainTimeout == .seconds(30))
    }

    @Test func everyKeyIsRead() throws {
        let node = try read(
            """
            x-note: {}
            listen: ["[::1]:8080", "localhost:${PORT}"]
            tls: { certificate: tls/cert.pem, key: /k.pem, client_ca: tls/banks.pem }
            connections: { limit: 100, per_address: 7 }
            admin: { listen: 127.0.0.1:0, token: "${TOKEN}" }
            store: sqlite:/data/busd.db
            plugins: [plugins/libAcmeBank.so]
            pipelines: "pipelines/*.yaml"
            log: { level: debug, format: json }
            retention: 12h
            drain_timeout: 250ms
            """
        )
        #expect(node.listen.map(\.description) == ["[::1]:8080", "127.0.0.1:8080"])
        #expect(node.connections.options.connectionLimit == 100)
        #expect(node.connections.options.connectionsPerClient == 7)
        #expect(node.tls?.certificate.resolved == "etc/tls/cert.pem")
        #expect(node.tls?.key.resolved == "/k.pem")
        #expect(node.admin.token?.reveal() == "t:#\"\n@/")
        #expect(
            node.store == .sqlite(FilePath("/data/busd.db", at: SourceMark(file: "etc/busd.yaml", line: 6, column: 8)))
        )
        #expect(node.plugins.map(\.resolved) == ["etc/plugins/libAcmeBank.so"])
        #expect(node.pipelines.map(\.resolved) == ["etc/pipelines/*.yaml"])
        #expect(node.log.level == .debug)
        #expect(node.retention == .seconds(43_200))
        #expect(node.drainTimeout == .milliseconds(250))
    }

    @Test(
        "What is wrong is said at its place",
        arguments: [
            (
                "connections: { limit: 5 }", "1:23: error: 'limit' must be between 16 and 1000000"
            ),
            ("connections: { per_adress: 5 }", "1:16: error: unknown key 'per_adress'; did you mean 'per_address'?"),
            (
                "listen: 8080",
                "1:9: error: 'listen' must be an IP address and a port, like 127.0.0.1:8080, not \"8080\"; "
                    + "did you mean \"127.0.0.1:8080\"?"
            ),
            (
                "listen: \"::1:80\"",
                "1:9: error: 'listen' must be an IP address and a port, like 127.0.0.1:8080, not \"::1:80\"; "
                    + "an IPv6 address stands in brackets, as in \"[::1]:8080\""
            ),
            (
                "listen: [127.0.0.1:9000, 127.0.0.1:0, 127.0.0.1:0, 127.0.0.1:9000]",
                "1:9: error: two listeners want 127.0.0.1:9000; give each a port of its own"
            ),
            ("listen: 127.0.0.1:8081", "1:9: error: two listeners want 127.0.0.1:8081; give each a port of its own"),
            (
                "admin: { listen: 127.0.0.1:8080 }",
                "1:8: error: two listeners want 127.0.0.1:8080; give each a port of its own"
            ),
            (
                "admin: { token: \"${NONE:-}\" }",
                "1:17: error: 'token' must not be empty; without the key, nothing can be changed"
            ),
            (
                "x-note: 1\nlisten: 127.0.0.1:0\nqqqqqqqq: 1",
                "3:1: error: unknown key 'qqqqqqqq'; known here: listen, tls, connections, admin, store, plugins, pipelines, log, "
                    + "content_key, retention, drain_timeout"
            ),
            ("tls: { key: k }", "1:1: error: 'certificate' is missing"),
            (
                "drain_timeout: 30",
                "1:16: error: 'drain_timeout' must be a duration, and \"30\" has no unit; did you mean \"30s\"?"
            ),
            ("retension: 5d", "1:1: error: unknown key 'retension'; did you mean 'retention'?"),
            (
                "log: { level: warn }",
                "1:15: error: 'level' must be one of debug, info, warning, error, not \"warn\"; did you mean 'warning'?"
            ),
            ("store: mysql://x", "1:8: error: 'store' must begin with sqlite: or postgresql:"),
            ("store: sqlit:x", "1:8: error: 'store' must begin with sqlite: or postgresql:; did you mean 'sqlite'?"),
            ("store: 'sqlite:'", "1:8: error: 'store' names no file after sqlite:"),
            (
                "store: 'postgresql://secret'",
                "1:8: error: 'store' must look like postgresql://user:password@host:5432/database; the database is missing"
            ),
            (
                "store: 'postgresql://u:p@h/d'",
                "1:8: error: PostgreSQL is not available in this release; use sqlite:PATH"
            ),
            ("store: []", "1:8: error: 'store' must be a URL like sqlite:var/busd.db, not a list"),
            (
                "listeners: { public: { listen: 0.0.0.0:8443 } }",
                "1:1: error: 'listeners' is not available in this release; 'listen' takes a list of addresses"
            ),
            (
                "content_key: x",
                "1:14: error: 'content_key' is not available in this release; content would not be encrypted"
            ),
            (
                "admin: { token: \"${NONE}\" }",
                "1:17: error: 'token' needs the environment variable NONE, which is not set; set it, or write ${NONE:-DEFAULT}"
            ),
        ]
    )
    func reports(text: String, message: String) {
        #expect(problems(text) == [message])
    }

    @Test(
        "A store is cut into its parts before variables are filled",
        arguments: [
            ("sqlite:${URL}/b.db", "sqlite etc/sqlite:x/${TOKEN}/b.db"),
            ("${URL}", "sqlite etc/x/${TOKEN}"),
            ("sqlite:///abs/x.db", "sqlite /abs/x.db"),
            ("postgresql://bus:${PASSWORD}@db.bank:5433/${file:db.name}", "bus p@ss/w%41:rd db.bank 5433 pushes"),
            ("postgres://b%40s:a%3Ab@[::1]:6000/d", "b@s a:b ::1 6000 d"),
            ("postgresql://[::1]/d", "- - ::1 5432 d"),
            ("postgresql://h/d", "- - h 5432 d"),
            ("postgresql://u@h:${PORT}/d", "u - h 8080 d"),
        ]
    )
    func splits(url: String, parts: String) throws {
        let root = try YAML.parse("store: '\(url)'", file: "etc/busd.yaml")
        let location = try StoreLocation(#require(root["store"]), Self.context)
        switch location {
        case .sqlite(let path): #expect("sqlite \(path.resolved)" == parts)
        case .postgresql(let server):
            let credentials = "\(server.user ?? "-") \(server.password?.reveal() ?? "-")"
            #expect("\(credentials) \(server.host) \(server.port) \(server.database)" == parts)
            #expect(!"\(location)".contains("p@ss"))
        }
    }
}
