// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import Foundation
import PushService
import PushTesting
import Testing
import YAML

@testable import APNs

struct SettingsTests {
    private static let now = Int64(Date.now.timeIntervalSince1970)
    private static let day: Int64 = 86_400

    /// Everything that is wrong with the options below `apns:` at line 1, one line each, without the folder.
    private func problems(_ text: String, now: Int64 = now) throws -> [String] {
        _ = PushCertificate.shared
        let folder = Secrets.shared.folder
        var found: [Diagnostic] = []
        let node = try YAML.parse(text.replacingOccurrences(of: "DIR", with: folder), file: "p.yaml")
        if let settings = APNsSettings.read(node, context: SettingsContext(), diagnostics: &found) {
            let mark = SourceMark(file: "p.yaml", line: 99, column: 5)
            var check = ModuleCheck(mark: mark, readFile: Variables.process.readFile)
            settings.check(&check, now: WallTime(seconds: now))
            found += check.diagnostics
        }
        return found.map { $0.description.replacingOccurrences(of: folder, with: "DIR") }
    }

    private static let key = "{ key: { path: DIR/key.p8, key_id: ABC123DEFG, team_id: DEF123GHIJ } }"

    @Test("Good settings have no problems")
    func good() throws {
        #expect(try problems("topic: a.b\nca: DIR/ca.pem\nauth: \(Self.key)") == [])
        #expect(
            try problems("auth: { certificate: { path: DIR/legacy.p12, password: \(PushCertificate.password) } }") == []
        )
        let read = try settings("topic: a.b\nauth: \(Self.key)")
        #expect(read.endpoint == .production && read.connections == 32)
    }

    @Test(
        "Each mistake has its place and its words",
        arguments: [
            (
                "auth: \(key)",
                "1:1: error: 'topic' is missing; a signing key serves many apps, so it must be told which"
            ),
            ("topic: a.b", "1:1: error: 'auth' is missing"),
            (
                "topic: a.b\nauth: { key: { key_id: abc, team_id: DEF123GHIJ, path: DIR/key.p8 } }",
                "2:24: error: 'key_id' must be 10 characters, A to Z and 0 to 9"
            ),
            (
                "topic: a.b\nauth: { key: { path: DIR/none.p8, key_id: ABC123DEFG, team_id: DEF123GHIJ } }",
                "2:22: error: 'path' DIR/none.p8 cannot be read: No such file or directory"
            ),
            (
                "topic: a.b\nauth: { key: { path: DIR/ca.pem, key_id: ABC123DEFG, team_id: DEF123GHIJ } }",
                "2:22: error: 'path' DIR/ca.pem cannot be used: the key file holds a 'CERTIFICATE', not a 'PRIVATE KEY'"
            ),
            (
                "topic: a.b\nauth: { key: { path: DIR/rsa.p8, key_id: ABC123DEFG, team_id: DEF123GHIJ } }",
                "2:22: error: 'path' DIR/rsa.p8 cannot be used: the key is not an EC key on P-256, which is wanted here"
            ),
            ("topic: a.b\nauth: \(key)\nca: DIR/key.p8", "3:5: error: 'ca' DIR/key.p8 holds no PEM certificate"),
            (
                "auth:\n  certificate:\n    path: DIR/modern.p12\n    password: wrong",
                "4:15: error: the certificate DIR/modern.p12 does not open with this password"
            ),
            (
                "auth:\n  certificate:\n    path: DIR/legacy.p12",
                "2:3: error: the certificate DIR/legacy.p12 needs a password"
            ),
            (
                "auth:\n  certificate:\n    path: DIR/locked.pem\n    password: wrong",
                "4:15: error: the certificate DIR/locked.pem does not open with this password"
            ),
            (
                "auth:\n  certificate:\n    path: DIR/locked.pem",
                "2:3: error: the certificate DIR/locked.pem holds an encrypted private key and needs a password"
            ),
            (
                "auth:\n  certificate:\n    path: DIR/keyless.p12\n    password: \(PushCertificate.password)",
                "3:11: error: the certificate DIR/keyless.p12 holds no private key"
            ),
            (
                "auth:\n  certificate:\n    path: DIR/push.crt",
                "3:11: error: the certificate DIR/push.crt holds no private key"
            ),
            (
                "auth:\n  certificate:\n    path: DIR/key.p8",
                "3:11: error: the certificate DIR/key.p8 holds no certificate"
            ),
            (
                "auth:\n  certificate:\n    path: DIR/mixed.pem",
                "3:11: error: the certificate DIR/mixed.pem holds a private key that belongs to none of its certificates"
            ),
            (
                "auth:\n  certificate:\n    path: DIR/junk",
                "3:11: error: the certificate DIR/junk is neither PKCS#12 nor PEM, or is damaged"
            ),
            (
                "auth:\n  certificate:\n    path: DIR/unchecked.p12\n    password: täst",
                "3:11: error: the certificate DIR/unchecked.p12 has no integrity check (MAC), so that nobody can say "
                    + "whether it is whole; export it again with one"
            ),
            (
                "auth:\n  certificate:\n    path: DIR/plain.pem",
                "99:5: error: 'topic' is missing; the certificate DIR/plain.pem names no app"
            ),
            (
                "topic: com.other\nauth:\n  certificate:\n    path: DIR/push.pem",
                "99:5: warning: 'topic' is com.other, and the certificate DIR/push.pem is for "
                    + "com.megabank.retail, com.megabank.retail.voip"
            ),
        ]
    )
    func mistakes(text: String, expected: String) throws {
        try Secrets.shared.write("junk", "junk")
        #expect(try problems(text) == ["p.yaml:\(expected)"])
    }

    @Test("A certificate's end is announced a month before")
    func expiry() throws {
        let text = "auth:\n  certificate:\n    path: DIR/push.pem"
        #expect(try problems(text, now: Self.now + 330 * Self.day) == [])
        #expect(
            try problems(text, now: Self.now + 350 * Self.day - Self.day / 2)
                == ["p.yaml:3:11: warning: the certificate DIR/push.pem expires in 15 days"]
        )
        #expect(
            try problems(text, now: Self.now + 366 * Self.day)
                == ["p.yaml:3:11: error: the certificate DIR/push.pem has expired"]
        )
    }

    @Test("A mark before UTF-8 is no part of a key or a certificate")
    func marks() throws {
        try Secrets.shared.write("marked.p8", "\u{feff}" + Secrets.shared.key.pem())
        try Secrets.shared.write("marked.pem", "\u{feff}" + Secrets.shared.authority.certificate)
        let auth = "{ key: { path: DIR/marked.p8, key_id: ABC123DEFG, team_id: DEF123GHIJ } }"
        #expect(try problems("topic: t\nca: DIR/marked.pem\nauth: \(auth)") == [])
    }

    @Test("A certificate of the future is an error, and the clock is asked about")
    func early() throws {
        let found = try problems("auth:\n  certificate:\n    path: DIR/push.pem", now: Self.now - 2 * Self.day)
        let words = "p.yaml:3:11: error: the certificate DIR/push.pem is not valid before "
        #expect(found.count == 1 && found[0].hasPrefix(words), "\(found)")
        #expect(found[0].hasSuffix("; is this machine's clock right?"))
    }

    @Test(
        "Endpoints are names or base URLs, in clear on this machine only",
        arguments: [
            ("production", "api.push.apple.com:443 tls ''"), ("sandbox", "api.sandbox.push.apple.com:443 tls ''"),
            ("https://x.example", "x.example:443 tls ''"),
            ("https://x.example:8443/base/", "x.example:8443 tls '/base'"),
            ("http://127.0.0.1:8080/", "127.0.0.1:8080 clear ''"), ("http://[::1]:80", "::1:80 clear ''"),
            ("http://localhost", "localhost:80 clear ''"),
            (
                "http://x.example",
                "'endpoint' must begin with https://: http:// is allowed on this machine only, as 127.0.0.1"
            ),
            (
                "http://127.0.0.1.evil.example",
                "'endpoint' must begin with https://: http:// is allowed on this machine only, as 127.0.0.1"
            ),
            (
                "prodction",
                "'endpoint' must be production, sandbox or a URL, not \"prodction\"; did you mean 'production'?"
            ),
            (
                "https://user@x.example",
                "'endpoint' must be a base URL: scheme, host, perhaps a port and a path, and nothing else"
            ),
            (
                "https://x.example:0",
                "'endpoint' must have a port from 1 to 65535 after the host's colon"
            ),
            ("https:///3", "'endpoint' must name a host after //"),
            (
                "http://127.evil.com",
                "'endpoint' must begin with https://: http:// is allowed on this machine only, as 127.0.0.1"
            ),
            ("https://[::1", "'endpoint' has a '[' without a ']': an IPv6 address stands between the two, as in [::1]"),
        ]
    )
    func endpoints(text: String, expected: String) throws {
        let node = try YAML.parse("endpoint: '\(text)'\ntopic: t\nauth: \(Self.key)", file: "f")
        var found: [Diagnostic] = []
        if let read = APNsSettings.read(node, context: SettingsContext(), diagnostics: &found) {
            let end = read.endpoint.base
            #expect("\(end.host):\(end.port) \(end.isSecure ? "tls" : "clear") '\(end.path)'" == expected)
        } else {
            #expect(found.map(\.message) == [expected])
        }
    }
}
