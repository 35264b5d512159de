// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing
import YAML

/// A module's settings with one option of each sort.
struct GatewaySettings: ModuleSettings, Equatable {
    enum Method: String, CaseIterable, SettingsValue { case get, post }

    enum Auth: Equatable {
        case key(KeySettings)
        case bearer([String])
        case certificate
    }

    struct KeySettings: ModuleSettings, Equatable {
        var path: FilePath
        var team: String

        init(from reader: inout SettingsReader) {
            path = reader.required("path", "The key, PEM.", example: "keys/a.p8")
            team = reader.required("team_id", "The team.")
        }
    }

    struct App: ModuleSettings, Equatable {
        var id: String

        init(from reader: inout SettingsReader) { id = reader.required("id", "Its id.") }
    }

    var url: String
    var password: Secret?
    var method: Method
    var connections: Int
    var reports: Bool
    var after: Duration
    var largest: ByteCount
    var events: [Method]
    var labels: [NamedSetting<Int>]
    var auth: Auth?
    var apps: [App]
    var segments: [NamedSetting<App>]

    init(from reader: inout SettingsReader) {
        url = reader.required("url", "Where it listens.", example: "http://127.0.0.1:13013/") {
            $0.hasPrefix("http") ? nil : "must begin with http:// or https://"
        }
        password = reader.optional("password", "The account's password.")
        method = reader.optional("method", "How it is called.", default: .get)
        connections = reader.optional("connections", "The most it grows to.", default: 32, in: 1...100)
        reports = reader.optional("reports", "Whether reports are wanted.", default: false)
        after = reader.optional("after", "How long to wait.", default: .seconds(30), in: .zero ... .seconds(3600))
        largest = reader.optional("largest", "The largest answer.", default: .mebibytes(1))
        events = reader.optionalList("events", "What it wants to hear.", default: [.get], acceptsOne: true)
        labels = reader.optionalMap("labels", "Numbers with names.")
        auth = reader.optionalChoice(
            "auth",
            "Who we are.",
            of: [
                SettingsAlternative("key") { .key($0.requiredGroup("key", "A signing key.")) },
                SettingsAlternative("bearer") { .bearer($0.requiredList("bearer", "Tokens.")) },
                SettingsAlternative("certificate") {
                    _ = $0.required("certificate", "A certificate.") as Bool
                    return .certificate
                },
            ]
        )
        apps = reader.optionalGroups("apps", "Its apps.")
        segments = reader.optionalGroupMap("segments", "Its segments.")
    }
}

struct SettingsReaderTests {
    static let context = SettingsContext(
        variables: Variables(
            environment: { ["COUNT": "7", "SECRET": "s3cret", "ON": "true", "TIME": "5m", "EMPTY": ""][$0] },
            readFile: { (path) throws(SettingsProblem) in
                if path == "etc/p" { return Array("from file\n\n".utf8) }
                if path == "/bad" { return [0xFF] }
                throw SettingsProblem("No such file or directory")
            }
        ),
        explainUnknownKey: { $0 == "topic" ? "'topic' is an option of apns" : nil }
    )

    private func read(_ text: String) throws(ConfigurationError) -> GatewaySettings {
        try GatewaySettings.read(YAML.parse(text, file: "etc/f"), context: Self.context)
    }

    private func problems(_ text: String) -> [String] {
        do {
            _ = try read(text)
            return []
        } catch { return error.diagnostics.map { String($0.description.dropFirst("etc/f:".count)) } }
    }

    @Test func defaultsCountWhereNothingIsWritten() throws {
        let settings = try read("url: http://x")
        #expect(settings.password == nil)
        #expect(settings.method == .get)
        #expect(settings.connections == 32)
        #expect(settings.after == .seconds(30))
        #expect(settings.largest == .mebibytes(1))
        #expect(settings.events == [.get])
        #expect(settings.auth == nil)
        #expect(settings.apps.isEmpty)
    }

    @Test func everyShapeIsRead() throws {
        let settings = try read(
            """
            url: "http://${COUNT}"
            password: ${SECRET}
            method: post
            connections: ${COUNT}
            reports: "${ON}"
            after: "${TIME}"
            largest: 64KiB
            events: post
            labels: { b: 2, a: 1 }
            auth: { key: { path: keys/a.p8, team_id: 0123 } }
            apps: [{ id: no }, { id: "${file:p}" }]
            segments: { vip: { id: "$${x}" } }
            """
        )
        #expect(settings.url == "http://7")
        #expect(settings.password?.reveal() == "s3cret")
        #expect(settings.method == .post)
        #expect(settings.connections == 7)
        #expect(settings.reports)
        #expect(settings.after == .seconds(300))
        #expect(settings.largest == .kibibytes(64))
        #expect(settings.events == [.post])
        #expect(settings.labels.map(\.name) == ["b", "a"])
        #expect(settings.labels.map(\.value) == [2, 1])
        guard case .key(let key) = settings.auth else {
            Issue.record("the key was chosen")
            return
        }
        #expect(key.path.resolved == "etc/keys/a.p8")
        #expect(key.path.mark?.description == "etc/f:10:22")
        #expect(key.team == "0123")
        #expect(settings.apps.map(\.id) == ["no", "from file\n"])
        #expect(settings.segments.map(\.value.id) == ["${x}"])
    }

    @Test func everythingWrongIsSaidInOneRun() {
        let text = """
            urll: x
            password:
            method: pots
            connections: 0
            reports: yes
            after: 30
            largest: 1MB
            events: [get, pst]
            labels: [1]
            auth: { key: { path: "" }, bearer: [a] }
            apps:
              - {}
              - id: [x]
                idd: 1
            segments: { vip: 5 }
            topic: com.bank
            """
        #expect(
            problems(text) == [
                "1:1: error: unknown key 'urll'; did you mean 'url'?",
                "2:1: error: 'password' has no value; write one, or remove the key",
                "3:9: error: 'method' must be one of get, post, not \"pots\"; did you mean 'post'?",
                "4:14: error: 'connections' must be between 1 and 100",
                "5:10: error: 'reports' must be true or false, not \"yes\"; did you mean true?",
                "6:8: error: 'after' must be a duration, and \"30\" has no unit; did you mean \"30s\"?",
                "7:10: error: 'largest' must be a size, and \"1MB\" has no unit that is known; did you mean \"1MiB\"?",
                "8:15: error: 'events' must be one of get, post, not \"pst\"; did you mean 'post'?",
                "9:9: error: 'labels' must be a map of names, not a list",
                "10:9: error: 'team_id' is missing",
                "10:22: error: 'path' must be a path, and is empty",
                "10:28: error: 'auth' takes exactly one of 'key', 'bearer', 'certificate'; 'key' is given already",
                "12:3: error: 'id' is missing",
                "13:9: error: 'id' must be a single value (string), not a list",
                "14:5: error: unknown key 'idd'; did you mean 'id'?",
                "15:18: error: must be a map of options, not a single value",
                "16:1: error: unknown key 'topic'; 'topic' is an option of apns",
            ]
        )
    }

    @Test(
        "A value is refused with what it should have been",
        arguments: [
            (
                "connections: 0123",
                "14: error: 'connections' must be a whole number without leading zeros, not \"0123\", which some programs read as octal"
            ),
            (
                "connections: \"5\"",
                "14: error: 'connections' must be a whole number, not a string; remove the quotes around \"5\""
            ),
            ("connections: 5.0", "14: error: 'connections' must be a whole number, not \"5.0\""),
            ("connections: 0x1F", "14: error: 'connections' must be a whole number, not \"0x1F\""),
            ("connections: 99999999999999999999", "14: error: 'connections' is too large a number"),
            (
                "connections: ${SECRET}",
                "14: error: 'connections' must be a whole number, not the value of the variable"
            ),
            ("connections: {}", "14: error: 'connections' must be a single value (whole number), not a map"),
            (
                "reports: \"true\"",
                "10: error: 'reports' must be true or false, not a string; remove the quotes around \"true\""
            ),
            ("reports: off", "10: error: 'reports' must be true or false, not \"off\"; did you mean false?"),
            ("reports: 1", "10: error: 'reports' must be true or false, not \"1\"; did you mean true?"),
            ("reports: maybe", "10: error: 'reports' must be true or false, not \"maybe\""),
            ("after: -5s", "8: error: 'after' must not be negative, and is \"-5s\""),
            (
                "after: 1.5h",
                "8: error: 'after' must be a duration, and \"1.5h\" has no unit that is known; did you mean \"90m\"?"
            ),
            (
                "after: 5min",
                "8: error: 'after' must be a duration, and \"5min\" has no unit that is known; did you mean \"5m\"?"
            ),
            ("after: soon", "8: error: 'after' must be a duration, not \"soon\"; write it like 5ms, 5s, 5m, 5h, 5d"),
            ("after: 2h", "8: error: 'after' must be between 0s and 1h"),
            ("after: 999999999999999999d", "8: error: 'after' is too large"),
            (
                "after: ${COUNT}",
                "8: error: 'after' must be a duration, and the value of the variable has no unit; write it like 5ms, 5s, 5m, 5h, 5d"
            ),
            ("largest: 1024", "10: error: 'largest' must be a size, and \"1024\" has no unit; did you mean \"1024B\"?"),
            ("auth: {}", "7: error: 'auth' must be a map with one of 'key', 'bearer', 'certificate', not an empty map"),
            (
                "auth: basic",
                "7: error: 'auth' must be a map with one of 'key', 'bearer', 'certificate', not a single value"
            ),
            ("auth: { bearr: [] }", "9: error: unknown key 'bearr'; did you mean 'bearer'?"),
            (
                "auth: { basic: {} }",
                "9: error: unknown key 'basic'; 'auth' takes one of 'key', 'bearer', 'certificate'"
            ),
            ("auth: { bearer: [] }", "17: error: 'bearer' must not be empty"),
            (
                "password: ${NONE}",
                "11: error: 'password' needs the environment variable NONE, which is not set; set it, or write ${NONE:-DEFAULT}"
            ),
            (
                "password: ${NONE-x}",
                "11: error: 'password' has '${' and a name that does not end like a variable; write ${NAME}, or ${NAME:-DEFAULT} with a default"
            ),
            (
                "password: ${1}",
                "11: error: 'password' has '${' that begins no variable; write ${NAME}, ${file:PATH}, or '$${' for the two characters themselves"
            ),
            (
                "password: ${A",
                "11: error: 'password' has '${' without a closing '}'; write '$${' for the two characters themselves"
            ),
            ("password: ${A:-${B}}", "11: error: 'password' has a variable inside a variable; they cannot be nested"),
            ("password: ${file:no}", "11: error: 'password' needs the file etc/no: No such file or directory"),
            ("password: ${file:/bad}", "11: error: 'password' needs the file /bad, which is not UTF-8 text"),
            ("password: ${file:}", "11: error: 'password' has '${file:}' without a path"),
        ]
    )
    func refuses(line: String, message: String) {
        #expect(problems("url: http://x\n\(line)\n") == ["2:\(message)"])
    }

    @Test("A key that is a slip of a missing one is one error, and rather of one that is not there yet")
    func slips() {
        #expect(problems("urll: http://x") == ["1:1: error: unknown key 'urll'; did you mean 'url'?"])
        let auth = "url: http://x\nauth: { key: { path: a, pathh: b, team: c } }"
        #expect(
            problems(auth) == [
                "2:25: error: unknown key 'pathh'; did you mean 'path'?",
                "2:35: error: unknown key 'team'; did you mean 'team_id'?",
            ]
        )
        #expect(problems("topic: x").first == "1:1: error: 'url' is missing")
    }

    @Test("A secret in a file that everybody can read is a doubt, another file is none")
    func openSecrets() throws {
        var variables = Self.context.variables
        variables.isOpenToAll = { $0 == "etc/p" }
        let text = "url: \"http://${file:p}\"\npassword: \"a${file:p}\""
        var found: [Diagnostic] = []
        let node = try YAML.parse(text, file: "etc/f")
        _ = GatewaySettings.read(node, context: SettingsContext(variables: variables), diagnostics: &found)
        let message = "'password' p can be read by every user of this machine; take that right away (chmod o-rwx)"
        #expect(found.map(\.description) == ["etc/f:2:11: warning: \(message)"])
    }

    @Test(
        "Variables fill string values and are not looked at again",
        arguments: [
            ("${COUNT}${COUNT}", "77"), ("${NONE:-}", ""), ("${EMPTY:-x}", "x"), ("${EMPTY}", ""),
            ("${NONE:-a:b #c}", "a:b #c"), ("$COUNT $ $$ {COUNT}", "$COUNT $ $$ {COUNT}"), ("$${COUNT}", "${COUNT}"),
            ("$$${COUNT}", "$${COUNT}"), ("${NONE:-$COUNT}", "$COUNT"), ("é${COUNT}é", "é7é"),
        ]
    )
    func fills(text: String, expected: String) throws {
        let settings = try read("url: http\npassword: '\(text)'")
        #expect(settings.password?.reveal() == expected)
    }

    @Test func whatAVariableBringsIsNeverScannedAgain() throws {
        let variables = Variables(environment: { $0 == "A" ? "${B}" : "boom" }, readFile: { _ in Array("${B}".utf8) })
        let filled = try variables.fill(Template("${A} ${file:x}"), directory: ".")
        #expect(filled == "${B} ${B}")
    }

    @Test func aSecretShowsNowhere() throws {
        let settings = try read("url: http\npassword: hunter2")
        var dumped = ""
        dump(settings, to: &dumped)
        for text in ["\(settings)", String(reflecting: settings), dumped] { #expect(!text.contains("hunter2")) }
    }

    @Test func aMessageIsOneLineWhateverTheFileHolds() {
        let text = "url: http\n\"a\\nb\\e[31m\": 1\nmethod: \"x\\u2028y\""
        #expect(
            problems(text) == [
                #"2:1: error: unknown key 'a\u{A}b\u{1B}[31m'; known here: url, password, method, connections, reports, "#
                    + "after, largest, events, labels, auth, apps, segments",
                #"3:9: error: 'method' must be one of get, post, not "x\u{2028}y""#,
            ]
        )
    }

    @Test func theRootMustBeAMap() {
        #expect(
            problems("[1]") == ["1:1: error: must be a map of options, not a list"]
        )
    }
}
