// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import PushService
import PushTesting
import Sandbox
import Testing

@testable import APNs

/// The channel against the stand-in, which checks what Apple checks and knows nothing of this code.
@Suite(.timeLimit(.minutes(1)))
struct SandboxTests {
    private func channel(_ sandbox: Sandbox) throws -> APNsChannel {
        let key = "path: \(sandbox.keyFile), key_id: \(sandbox.keyID), team_id: \(sandbox.teamID)"
        let text = """
            endpoint: \(sandbox.apns.endpoint)
            topic: com.megabank.retail
            ca: \(sandbox.authorityFile)
            auth: { key: { \(key) } }
            """
        return try APNsChannel(settings: settings(text), context: .test, loop: .shared) {
            $0.backoff = 10_000_000...100_000_000
        }
    }

    private func start() throws -> Sandbox {
        try Sandbox.start(directory: Secrets.shared.path("sandbox-\(UInt64.random(in: 0 ... .max))"))
    }

    @Test("A thousand pushes pass every check of Apple's")
    func many() async throws {
        let sandbox = try start()
        let channel = try channel(sandbox)
        let collector = Collector()
        let shared = outgoing()
        channel.send((1...1000).map { delivery($0, shared, token: token($0)) }, to: collector)
        let outcomes = await collector.outcomes(1000)
        #expect(outcomes.count == 1000 && outcomes.values.allSatisfy { $0 == .accepted })
        await sandbox.stop()
    }

    @Test("Refusals, goodbyes and verdicts among many pushes come to the right ones")
    func troubles() async throws {
        let sandbox = try start()
        sandbox.apns.setRules([
            PushRule(token: token(5), status: 410, reason: "Unregistered"),
            PushRule(token: token(6), status: 400, reason: "BadDeviceToken"),
            PushRule(token: token(7), .goaway, times: 1),
            PushRule(token: token(8), .refuse, times: 1),
        ])
        let channel = try channel(sandbox)
        let collector = Collector()
        channel.send((1...100).map { delivery($0, token: token($0)) }, to: collector)
        let outcomes = await collector.outcomes(100)
        for ticket in UInt64(1)...100 {
            switch (ticket, outcomes[ticket]) {
            case (5, .gone(let gone)): #expect(!gone.isAmbiguous)
            case (6, .gone(let gone)): #expect(gone.isAmbiguous)
            case (let ticket, let outcome): #expect(outcome == .accepted, "\(ticket)")
            }
        }
        await sandbox.stop()
    }

    private func token(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }
}
