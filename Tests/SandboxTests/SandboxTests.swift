// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HTTP2
import JSON
import Sandbox
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SandboxTests {
    /// Runs `body` with a sandbox that exists only for this call.
    private func withSandbox(
        _ options: SandboxOptions = SandboxOptions(),
        _ body: (SandboxFixture) async throws -> Void
    ) async throws {
        let fixture = try SandboxFixture(options: options)
        do { try await body(fixture) } catch {
            await fixture.stop()
            throw error
        }
        await fixture.stop()
    }

    @Test("What the folder holds is enough to push, and the record shows it")
    func pushes() async throws {
        try await withSandbox { fixture in
            let bearer = try fixture.bearer()
            let outcomes = await fixture.push((0..<50).map { "00\($0 + 10)" }, bearer: bearer)
            #expect(outcomes.map(\.words) == Array(repeating: "200", count: 50))
            await fixture.sandbox.apns.arrived(50)
            let records = fixture.sandbox.apns.records(token: "0011")
            #expect(records.count == 1)
            #expect(records.first?.body == Array(#"{"aps":{"alert":"x"},"n":1}"#.utf8))
            #expect(records.first?.header("apns-push-type") == "alert")
        }
    }

    @Test("A new connection carries one stream until a good JWT was seen, then many")
    func careful() async throws {
        try await withSandbox { fixture in
            var slow = PushRule(status: 200, reason: nil)
            slow.delay = 50
            fixture.sandbox.apns.setRules([slow])
            let bearer = try fixture.bearer()
            let refused = await fixture.push(Array(repeating: "0011", count: 5), bearer: "bearer x")
            #expect(refused.map(\.words) == Array(repeating: "403 InvalidProviderToken", count: 5))
            #expect(fixture.sandbox.apns.counters.mostStreams == 1)
            #expect(await fixture.push(["0011"], bearer: bearer).map(\.words) == ["200"])
            #expect(fixture.sandbox.apns.counters.mostStreams == 1)
            _ = await fixture.push(Array(repeating: "0011", count: 50), bearer: bearer)
            #expect(fixture.sandbox.apns.counters.mostStreams > 10)
        }
    }

    @Test("REFUSED_STREAM and GOAWAY mean not processed: the client sends again and all arrive once")
    func resends() async throws {
        try await withSandbox { fixture in
            var refusal = PushRule(.refuse, times: 3)
            refusal.every = 2
            var goaway = PushRule(.goaway, times: 2)
            goaway.every = 10
            goaway.reason = "Shutdown"
            fixture.sandbox.apns.setRules([refusal, goaway])
            let tokens = (0..<60).map { "00\($0 + 10)" }
            let outcomes = await fixture.push(tokens, bearer: try fixture.bearer())
            #expect(outcomes.map(\.words) == Array(repeating: "200", count: 60))
            let records = fixture.sandbox.apns.records()
            #expect(records.filter { $0.status == 200 }.map(\.token).sorted() == tokens.sorted())
            #expect(records.filter { $0.reason == "refuse" }.count == 3)
            #expect(records.filter { $0.reason == "goaway" }.count == 2)
            #expect(Set(records.map(\.connection)).count == 3)
        }
    }

    @Test(
        "What is written and not answered is unknown to the client",
        arguments: [PushRule.Effect.silence, .reset, .drop]
    )
    func unanswered(effect: PushRule.Effect) async throws {
        try await withSandbox { fixture in
            fixture.sandbox.apns.setRules([PushRule(token: "00ff", effect, times: 1)])
            let bearer = try fixture.bearer()
            #expect(await fixture.push(["00ff"], bearer: bearer).map(\.words) == ["unknown"])
            #expect(await fixture.push(["00ff"], bearer: bearer).map(\.words) == ["200"])
            #expect(fixture.sandbox.apns.records().map(\.reason) == [effect.rawValue, ""])
        }
    }

    @Test("Retry-After and a proxy's page come as the rule says")
    func foreignAnswer() async throws {
        try await withSandbox { fixture in
            var rule = PushRule(status: 503, reason: nil, times: 1)
            rule.body = "<html>"
            rule.retryAfter = "3"
            fixture.sandbox.apns.setRules([rule])
            let outcome = await fixture.push(["00ff"], bearer: try fixture.bearer()).first
            guard case .response(let response) = outcome else {
                Issue.record("no answer")
                return
            }
            #expect(response.status == 503)
            #expect(response.header("retry-after") == "3")
            #expect(response.body == Array("<html>".utf8))
        }
    }

    @Test("A folder is used again with its keys")
    func restart() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "busd-\(UUIDText.random())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try Sandbox.start(directory: folder.path())
        let authority = try String(contentsOfFile: first.authorityFile, encoding: .utf8)
        let key = try String(contentsOfFile: first.keyFile, encoding: .utf8)
        let firstAccount = try JSONValue(parsing: try String(contentsOfFile: first.serviceAccountFile, encoding: .utf8))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
        #expect(
            names == [
                "AuthKey_SANDBOX001.p8", "README.txt", "ca.pem", "sandbox.json", "server.key", "server.pem",
                "service-account.json",
            ]
        )
        await first.stop()
        let second = try Sandbox.start(directory: folder.path())
        #expect(try String(contentsOfFile: second.authorityFile, encoding: .utf8) == authority)
        #expect(try String(contentsOfFile: second.keyFile, encoding: .utf8) == key)
        let book = try JSONValue(parsing: try String(contentsOfFile: folder.path() + "/sandbox.json", encoding: .utf8))
        #expect(book["apns"]?["endpoint"]?.string == second.apns.endpoint)
        #expect(book["control"]?.string == second.control)
        #expect(book["bank"]?["url"]?.string == second.bank.url)
        #expect(book["fcm"]?["endpoint"]?.string == second.fcm.endpoint)
        let account = try JSONValue(parsing: try String(contentsOfFile: second.serviceAccountFile, encoding: .utf8))
        #expect(account["private_key"]?.string == firstAccount["private_key"]?.string)
        #expect(account["token_uri"]?.string == second.oauth.endpoint + "/token")
        #expect(throws: SandboxError.self) { try Sandbox.start(directory: "/proc/none") }
        await second.stop()
    }
}
