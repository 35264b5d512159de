// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import Sandbox
import Testing

@testable import busd

@Suite("The sandbox's failures in YAML")
struct SandboxRulesTests {
    private func load(_ text: String) throws -> (rules: [SandboxService: [PushRule]], diagnostics: [String]) {
        let file = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        var diagnostics: [Diagnostic] = []
        let rules = SandboxRules.load(file.path, diagnostics: &diagnostics)
        return (rules, diagnostics.map { "\($0)".replacing("\(file.path):", with: "") })
    }

    @Test("every key reaches the rule")
    func keys() throws {
        let text = """
            rules:
              - token: 00FF
                effect: goaway
                status: 429
                reason: TooManyRequests
                timestamp: 1700000000000
                retry_after: "3"
                body: <html>
                delay: 250ms
                stream_limit: 5
                times: 7
                every: 50
                lasting: 10s
              - { service: fcm, token: "aB:c", effect: drop }
              - { token: "*", effect: silence }
              - { service: sms, token: "+79160000001", report: undeliverable }
            """
        var first = PushRule(token: "00FF", .goaway, times: 7)
        first.status = 429
        first.reason = "TooManyRequests"
        first.timestamp = 1_700_000_000_000
        first.retryAfter = "3"
        first.body = "<html>"
        first.delay = 250
        first.streamLimit = 5
        first.every = 50
        first.lasting = 10_000
        let read = try load(text)
        #expect(read.diagnostics == [])
        var report = PushRule(token: "+79160000001", .answer)
        report.report = .undeliverable
        #expect(read.rules[.apns] == [first, PushRule(.silence)])
        #expect(read.rules[.fcm] == [PushRule(token: "aB:c", .drop)])
        #expect(read.rules[.sms] == [report])
    }

    @Test(
        "what is wrong is told with its place",
        arguments: [
            ("rules: [{ effect: explode }]", "1:19: error: 'effect'"),
            ("rules: [{ status: 99 }]", "1:19: error: 'status'"),
            ("rules: [{ lasting: 10 }]", "1:20: error: 'lasting'"),
            ("rules: [{ retryAfter: 3 }]", "1:11: error: unknown key 'retryAfter'"),
            ("rules: [{ service: sms, effect: drop }]", "1:33: error: 'effect' must be answer or silence"),
            ("rules: [{ report: refused }]", "1:19: error: 'report' is for the service sms"),
            ("{}", "1:1: error: 'rules' is missing"),
        ]
    )
    func wrong(text: String, expected: String) throws {
        let read = try load(text)
        #expect(read.rules.isEmpty)
        #expect(read.diagnostics.contains { $0.hasPrefix(expected) }, "\(read.diagnostics)")
    }
}
