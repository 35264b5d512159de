// SPDX-License-Identifier: Apache-2.0

import Foundation
import Sandbox
import Testing

/// One of a provider's machines is sick, the others are well: a PIN code that has no text message to fall back on is
/// with the provider within two seconds all the same.
@Suite("A PIN code behind a sick connection", .serialized, .timeLimit(.minutes(4)))
struct SickConnectionTests {
    private static let bar = Duration.seconds(2)
    static let platforms = ["IOS", "ANDROID"]

    /// The connection that the first requests go over does as told, the others are well.
    private static func sick(_ change: (inout PushRule) -> Void) -> PushRule {
        var rule = PushRule(.silence)
        rule.connections = 1
        change(&rule)
        return rule
    }

    /// Sends bulk under a rule and then a PIN code to somebody else; returns how long it took to be SENT.
    private func time(
        of rule: PushRule,
        platform: String,
        healthy: Int = 0,
        bulk: Int
    ) async throws -> (Duration, [PushRecord]) {
        try await World.with { world in
            let provider = platform == "IOS" ? world.sandbox.apns : world.sandbox.fcm
            provider.setRules([rule])
            let bus = try await world.startBus()
            for user in 0...(healthy + bulk) {
                let token = platform == "IOS" ? "00\(10_000 + user)0" : "token:\(user)"
                try await world.register("u\(user)", device: "d\(user)", token: token, platform: platform, at: bus)
            }
            if healthy > 0 {
                _ = try await world.soap(SOAPText.notification("first", to: (1...healthy).map { "u\($0)" }), at: bus)
                await provider.arrived(healthy)
            }
            let users = (1...bulk).map { "u\(healthy + $0)" }
            _ = try await world.soap(SOAPText.notification("bulk", to: users), at: bus)
            await provider.arrived(healthy + 1)
            let start = ContinuousClock.now
            let code = SOAPText.notification("pin", to: ["u0"], text: "Your code:")
                .replacing("<type>UNIVERSAL</type>", with: "<type>PIN_CODE</type><target>483920</target>")
            _ = try await world.soap(code, at: bus)
            #expect(try await world.status(of: "pin", at: bus, becomes: ">SENT<").contains(">SENT<"))
            let time = ContinuousClock.now - start
            let token = platform == "IOS" ? "00100000" : "token:0"
            #expect(bus.terminate() == 0)
            return (time, provider.records(token: token))
        }
    }

    @Test("whose first request is never answered", arguments: platforms)
    func muteFirst(platform: String) async throws {
        let rule = Self.sick { $0.times = 1 }
        let (time, records) = try await time(of: rule, platform: platform, bulk: 1)
        #expect(time < Self.bar)
        #expect(records.last?.status == 200)
    }

    @Test("where the first request of each connection is never answered", arguments: platforms)
    func muteFirstOfEach(platform: String) async throws {
        var rule = PushRule(.silence)
        rule.times = 1
        rule.isPerConnection = true
        let (time, records) = try await time(of: rule, platform: platform, bulk: 1)
        #expect(time < Self.bar)
        #expect(records.last?.status == 200)
    }

    @Test("that answered and then fell silent", arguments: platforms)
    func mute(platform: String) async throws {
        let rule = Self.sick { $0.after = 20 }
        let (time, records) = try await time(of: rule, platform: platform, healthy: 20, bulk: 30)
        #expect(time < Self.bar)
        #expect(records.last?.status == 200)
        // What was tried before is the same push: the phone shows it once.
        for name in ["apns-id", "apns-collapse-id"] where platform == "IOS" {
            #expect(Set(records.map { $0.header(name) }).count == 1)
        }
    }

    @Test("that answers 500 to everything", arguments: platforms)
    func failing(platform: String) async throws {
        let rule = Self.sick {
            $0.effect = .answer
            $0.status = 500
            $0.reason = platform == "IOS" ? "InternalServerError" : "INTERNAL"
        }
        let (time, records) = try await time(of: rule, platform: platform, bulk: 30)
        #expect(time < Self.bar)
        #expect(records.last?.status == 200)
    }

    @Test("that says goodbye every 20 streams", arguments: platforms)
    func goodbyes(platform: String) async throws {
        var rule = PushRule(.goaway)
        rule.every = 20
        rule.isPerConnection = true
        let (time, _) = try await time(of: rule, platform: platform, bulk: 90)
        #expect(time < Self.bar)
    }
}
