// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import Foundation
import JSON
import PushService
import PushTesting
import Testing
import YAML

@testable import FCM

struct SettingsTests {
    /// Everything that is wrong with the options below `fcm:` at line 1, one line each, without the folder.
    private func problems(_ text: String) throws -> [String] {
        let folder = Secrets.shared.folder
        var found: [Diagnostic] = []
        let node = try YAML.parse(text.replacing("DIR", with: folder), file: "p.yaml")
        if let settings = FCMSettings.read(node, context: SettingsContext(), diagnostics: &found) {
            let mark = SourceMark(file: "p.yaml", line: 99, column: 5)
            var check = ModuleCheck(mark: mark, readFile: Variables.process.readFile)
            settings.check(&check)
            found += check.diagnostics
        }
        return found.map { $0.description.replacing(folder, with: "DIR").replacing("p.yaml:", with: "") }
    }

    /// The problems of a key file, without what is the same in all.
    private func problems(ofFile content: String) throws -> [String] {
        let name = "settings-\(SecureRandom.integer()).json"
        try Secrets.shared.write(name, content)
        let prefix = "1:18: error: 'service_account' DIR/\(name) "
        return try problems("service_account: DIR/\(name)").map { $0.replacing(prefix, with: "") }
    }

    @Test("Good settings have no problems, and defaults")
    func good() throws {
        #expect(try problems(ofFile: accountFile()) == [])
        #expect(try problems(ofFile: accountFile(["private_key_id": .null, "token_uri": .null])) == [])
        let read = try settings("service_account: x.json")
        #expect(read.endpoint.settingsText == "https://fcm.googleapis.com" && read.connections == 8)
    }

    @Test(
        "Each mistake in the pipeline file has its place and its words",
        arguments: [
            ("endpoint: https://x.example", "1:1: error: 'service_account' is missing"),
            (
                "service_account: DIR/none.json",
                "1:18: error: 'service_account' DIR/none.json cannot be read: No such file or directory"
            ),
            (
                "service_account: DIR/key.p8",
                "1:18: error: 'service_account' DIR/key.p8 is no JSON: 1:2: not valid JSON; "
                    + "it is a bare key: the whole JSON file is wanted"
            ),
            (
                "service_account: x\nendpoint: http://x.example",
                "2:11: error: 'endpoint' must begin with https://: http:// is allowed on this machine only, as 127.0.0.1"
            ),
            (
                "service_account: x\nendpoint: fcm.googleapis.com",
                "2:11: error: 'endpoint' must be a URL that begins with https://, not \"fcm.googleapis.com\""
            ),
            (
                "service_account: x\nendpoint: https://fcm.googleapis.com/fcm/send",
                "2:11: error: 'endpoint' must not end with /fcm/send, which Google shut down in July 2024"
            ),
            (
                "service_account: x\nendpoint: https://fcm.googleapis.com/v1/projects/p/messages:send",
                "2:11: error: 'endpoint' must be the base URL alone: /v1/projects/… is put behind it"
            ),
            (
                "service_account: x\nserver_key: AIzaSECRET",
                "2:1: error: 'server_key' opens nothing any more: \(ServiceAccount.serverKeyAdvice)"
            ),
            (
                "service_account: x\nplatforms: [IOS]",
                "2:1: error: 'platforms' is not available in this release: fcm serves ANDROID"
            ),
            (
                "service_acount: x",
                "1:1: error: unknown key 'service_acount'; did you mean 'service_account'?"
            ),
        ]
    )
    func places(text: String, expected: String) throws {
        let found = try problems(text)
        #expect(found.contains(expected), "\(found)")
    }

    @Test("A file that 'ca' names must hold certificates")
    func authority() throws {
        try Secrets.shared.write("fine.json", accountFile())
        let text = "service_account: DIR/fine.json\nca: DIR/key.p8"
        #expect(try problems(text) == ["2:5: error: 'ca' DIR/key.p8 holds no PEM certificate"])
        #expect(try problems("service_account: DIR/fine.json\nca: DIR/ca.pem") == [])
    }

    @Test(
        "Each mistake in the key file has its words",
        arguments: [
            (["type": .null], "has no 'type': it is not a service account's key"),
            (
                ["type": "authorized_user"],
                "has a 'type' other than service_account: it is another kind of credential"
            ),
            (["project_info": [:]], "is the app's google-services.json, not a service account's key"),
            (["project_id": .null], "has no 'project_id'"), (["project_id": ""], "has an empty 'project_id'"),
            (["project_id": 7], "has a number for 'project_id'"),
            (["project_id": "a/b"], "has a wrong 'project_id': it must be a project's id"),
            (["client_email": .null], "has no 'client_email'"),
            (["client_email": "nobody"], "has a wrong 'client_email': it must be the account's address"),
            (["private_key": .null], "has no 'private_key'"),
            (
                ["private_key": "SECRET"],
                "has a 'private_key' that cannot be used: the key file has no line '-----BEGIN PRIVATE KEY-----'"
            ),
            (["token_uri": "oauth2.googleapis.com/token"], "has a wrong 'token_uri': it must begin with https://"),
            (
                ["token_uri": "http://x.example/token"],
                "has a wrong 'token_uri': it must begin with https://: http:// is allowed on this machine only, "
                    + "as 127.0.0.1"
            ),
        ] as [([String: JSONValue], String)]
    )
    func members(changes: [String: JSONValue], expected: String) throws {
        #expect(try problems(ofFile: accountFile(changes)) == [expected])
    }

    @Test("A key of another kind is refused, and all that is wrong is told")
    func several() throws {
        let changes: [String: JSONValue] = [
            "private_key": .string(try Secrets.shared.key.pem()), "client_email": .null,
        ]
        let expected = [
            "has no 'client_email'",
            "has a 'private_key' that cannot be used: the key is not an RSA key, which is wanted here",
        ]
        #expect(try problems(ofFile: accountFile(changes)) == expected)
    }

    @Test("Line ends that are written twice over are understood, and told of")
    func escaped() throws {
        let pem = try Secrets.shared.rsa.pem().replacing("\n", with: "\\n")
        let found = try problems(ofFile: accountFile(["private_key": .string(pem)]))
        #expect(found.count == 1 && found[0].hasPrefix("1:18: warning: "), "\(found)")
        #expect(found[0].hasSuffix("'private_key' holds \\n as two characters each; they are taken for line ends"))
    }

    @Test("A mark before UTF-8 is no part of the file, and UTF-16 is named")
    func marks() throws {
        #expect(try problems(ofFile: "\u{feff}" + accountFile()) == [])
        let name = "settings-\(SecureRandom.integer()).json"
        try accountFile().write(toFile: Secrets.shared.path(name), atomically: true, encoding: .utf16)
        let found = try problems("service_account: DIR/\(name)")
        #expect(found.count == 1 && found[0].hasSuffix("; it is UTF-16, UTF-8 is wanted: save it again"), "\(found)")
    }

    @Test("Real line ends within the key are explained")
    func brokenLines() throws {
        let broken = try accountFile().replacing("PRIVATE KEY-----\\n", with: "PRIVATE KEY-----\n")
        let found = try problems(ofFile: broken)
        #expect(found.count == 1 && found[0].hasPrefix("is no JSON: "), "\(found)")
        #expect(found[0].hasSuffix("; line ends within 'private_key' are written \\n"))
    }

    @Test("A legacy server key in a file is recognised, and not quoted")
    func serverKey() throws {
        let found = try problems(ofFile: "AIzaSECRET")
        let hint = "it looks like a server key: \(ServiceAccount.serverKeyAdvice)"
        #expect(found == ["is no JSON: 1:11: not valid JSON; \(hint)"])
    }

    @Test("A channel whose file has gone since the check says so")
    func gone() throws {
        let error = #expect(throws: (any Error).self) {
            try FCMChannel(settings: settings("service_account: /none.json"), context: .test)
        }
        #expect("\(try #require(error))" == "/none.json cannot be read: No such file or directory")
    }
}
