// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import PushService
import PushTesting
import Sandbox
import Synchronization
import Testing

@testable import FCM

/// The channel against the stand-in, which checks what FCM checks and knows nothing of this code.
@Suite(.timeLimit(.minutes(1)))
struct SandboxTests {
    private func channel(_ sandbox: Sandbox, log: Log = .silent) throws -> FCMChannel {
        let context = ModuleContext(pipeline: "megabank", label: "push", log: log, intake: NoIntake())
        let text = """
            endpoint: \(sandbox.fcm.endpoint)
            service_account: \(sandbox.serviceAccountFile)
            ca: \(sandbox.authorityFile)
            """
        return try FCMChannel(settings: settings(text), context: context, loop: .shared) {
            $0.backoff = 10_000_000...100_000_000
        }
    }

    private func withSandbox(
        log: Log = .silent,
        _ body: (Sandbox, FCMChannel, Collector) async throws -> Void
    ) async throws {
        let folder = Secrets.shared.path("sandbox-\(UInt64.random(in: 0 ... .max))")
        let sandbox = try Sandbox.start(directory: folder)
        try await body(sandbox, channel(sandbox, log: log), Collector())
        await sandbox.stop()
    }

    @Test("A thousand messages pass every check of FCM's, with one access token")
    func many() async throws {
        try await withSandbox { sandbox, channel, collector in
            let shared = outgoing(details: PushDetails(name: "Bank"), collapseID: "sale")
            channel.send((1...1000).map { android($0, shared, token: "token:\($0)") }, to: collector)
            let outcomes = await collector.outcomes(1000)
            #expect(outcomes.count == 1000 && outcomes.values.allSatisfy { $0 == .accepted })
            #expect(sandbox.accessTokens.issued == 1)
        }
    }

    @Test("Refusals, goodbyes and verdicts among many messages come to the right ones")
    func troubles() async throws {
        try await withSandbox { sandbox, channel, collector in
            sandbox.fcm.setRules([
                PushRule(token: "token:5", status: 404, reason: "UNREGISTERED"),
                PushRule(token: "token:6", status: 403, reason: "SENDER_ID_MISMATCH"),
                PushRule(token: "token:7", .goaway, times: 1), PushRule(token: "token:8", .refuse, times: 1),
                PushRule(token: "token:9", status: 400, reason: "INVALID_ARGUMENT"),
                PushRule(token: "token:10", status: 404, reason: nil),
            ])
            channel.send((1...100).map { android($0, token: "token:\($0)") }, to: collector)
            let outcomes = await collector.outcomes(100)
            for ticket in UInt64(1)...100 {
                switch (ticket, outcomes[ticket]) {
                case (5, .gone(let gone)), (9, .gone(let gone)): #expect(!gone.isAmbiguous)
                case (6, .gone(let gone)): #expect(gone.isAmbiguous)
                case (10, .unavailable): break
                case (let ticket, let outcome): #expect(outcome == .accepted, "\(ticket)")
                }
            }
        }
    }

    @Test("Access tokens that end before their time are replaced, once each time")
    func expiry() async throws {
        try await withSandbox { sandbox, channel, collector in
            for round in UInt64(0)..<3 {
                channel.send((1...100).map { android(round * 100 + $0, token: "token:\($0)") }, to: collector)
                let outcomes = await collector.outcomes(Int(round + 1) * 100)
                #expect(outcomes.values.allSatisfy { $0 == .accepted })
                sandbox.accessTokens.expireAll()
            }
            #expect(sandbox.accessTokens.issued == 3)
        }
    }

    @Test(
        "Where this machine's clock is wrong the token endpoint's counts, and the operator is told",
        arguments: [7_500, 4_200, -4_200, -7_500]
    )
    func clock(ahead: Int) async throws {
        let lines = Mutex<[String]>([])
        let log = Log(minimum: .warning) { _, message, fields in
            lines.withLock { $0.append(message + ": " + fields.map(\.value).joined(separator: " ")) }
        }
        try await withSandbox(log: log) { sandbox, channel, collector in
            sandbox.accessTokens.clockAhead = ahead
            channel.send([android()], to: collector)
            #expect(await collector.outcomes(1) == [1: .accepted])
        }
        let line = lines.withLock { $0.first } ?? ""
        #expect(line.contains("this machine's clock is \(abs(ahead) == 7_500 ? "2 h" : "1 h") "), "\(line)")
        #expect(line.hasSuffix("\(ahead > 0 ? "behind" : "ahead of") the token endpoint's; set it right"))
    }
}
