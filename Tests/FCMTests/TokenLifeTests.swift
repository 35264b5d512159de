// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import PushService
import PushTesting
import Synchronization
import Testing

@testable import FCM

@Suite(.timeLimit(.minutes(1)))
struct TokenLifeTests {
    @Test("A thousand sends at once ask for one access token")
    func singleFlight() async throws {
        let fixture = try Fixture(grant: { _, _ in .after(100_000_000, granted("t1")) })
        await withTaskGroup(of: Void.self) { group in
            for ticket in UInt64(1)...1000 {
                group.addTask { fixture.channel.send([android(ticket)], to: fixture.collector) }
            }
        }
        let outcomes = await fixture.collector.outcomes(1000)
        #expect(outcomes.count == 1000 && outcomes.values.allSatisfy { $0 == .accepted })
        #expect(fixture.grants.all.count == 1)
        #expect(Set(fixture.requests.all.compactMap { $0.header("authorization") }) == ["Bearer t1"])
    }

    @Test("After an early 401 everything goes out once more, with one new token")
    func earlyEnd() async throws {
        let fixture = try Fixture { _, request in
            request.header("authorization") == "Bearer t1" ? refusal(401, "UNAUTHENTICATED") : ok
        }
        let outcomes = await fixture.send((1...200).map { android($0) })
        #expect(outcomes.count == 200 && outcomes.values.allSatisfy { $0 == .accepted })
        #expect(fixture.grants.all.count == 2)
        #expect(fixture.requests.all.count { $0.header("authorization") == "Bearer t2" } == 200)
    }

    @Test("Where every token is refused the channel is unavailable, and asks for no third one")
    func alwaysRefused() async throws {
        let fixture = try Fixture { _, _ in refusal(401, "UNAUTHENTICATED") }
        let expected = Outcome.unavailable(
            reason: "FCM says 401 UNAUTHENTICATED: the access token is not accepted"
        )
        #expect(await fixture.send([android(1)]) == [1: expected])
        fixture.channel.send([android(2)], to: fixture.collector)
        #expect(await fixture.collector.outcomes(2)[2] == expected)
        #expect(fixture.grants.all.count == 2)
        #expect(fixture.requests.all.count == 3)
    }

    @Test("A project's key for Apple that is refused costs no access token")
    func thirdParty() async throws {
        let fixture = try Fixture { _, _ in refusal(401, "UNAUTHENTICATED", code: "THIRD_PARTY_AUTH_ERROR") }
        guard case .retry(nil, .delivery, _)? = await fixture.send([android()])[1] else {
            return #expect(Bool(false))
        }
        #expect(fixture.grants.all.count == 1)
    }

    @Test("A token at its end is replaced before anything is refused")
    func expiry() async throws {
        let fixture = try Fixture(grant: { number, _ in granted("t\(number + 1)", life: 1) })
        while fixture.grants.all.count < 3 {
            let collector = Collector()
            fixture.channel.send([android()], to: collector)
            #expect(await collector.outcomes(1) == [1: .accepted])
        }
        #expect(
            Set(fixture.requests.all.compactMap { $0.header("authorization") }).isSuperset(of: [
                "Bearer t1", "Bearer t2",
            ])
        )
    }

    @Test("Without a token nothing is sent: unavailable at once, from memory, and again when the endpoint answers")
    func recovery() async throws {
        let isDown = Mutex(true)
        let fixture = try Fixture(grant: { _, _ in
            isDown.withLock { $0 } ? answer(400, #"{"error":"invalid_grant"}"#) : granted("t")
        })
        let outcomes = await fixture.send((1...50).map { android($0) })
        let cause = "the key was deleted, or is another account's, or this machine's clock is wrong"
        let reason = "no access token: the token endpoint says 400 invalid_grant: \(cause)"
        #expect(outcomes.count == 50 && outcomes.values.allSatisfy { $0 == .unavailable(reason: reason) })
        fixture.channel.send([android(51)], to: fixture.collector)
        #expect(await fixture.collector.outcomes(51)[51] == .unavailable(reason: reason))
        #expect(fixture.grants.all.count == 1 && fixture.requests.all.isEmpty)
        isDown.withLock { $0 = false }
        // The failure counts for half a second: whoever asks again and again gets through then.
        while true {
            let collector = Collector()
            fixture.channel.send([android()], to: collector)
            if await collector.outcomes(1)[1] == .accepted { break }
        }
        #expect(fixture.grants.all.count == 2)
    }

    @Test("A token endpoint that nobody reaches makes the channel unavailable")
    func unreachable() async throws {
        let fixture = try Fixture()
        fixture.endpoint.stop()
        guard case .unavailable(let reason)? = await fixture.send([android()])[1] else { return #expect(Bool(false)) }
        #expect(reason.hasPrefix("no access token: https://localhost:\(fixture.endpoint.port): "), "\(reason)")
    }

    @Test(
        "Whatever a token endpoint sends, the channel is unavailable and quotes nothing of it",
        arguments: [
            answer(200, String(repeating: "SECRET", count: 50_000)), answer(502, "<html>SECRET</html>"),
            answer(200, ""),
            answer(401, #"{"error":"invalid_client","error_description":"SECRET"}"#), .reset(2), .drop,
            answer(302, "", [HTTP2Header("location", "https://localhost/SECRET")]),
        ]
    )
    func hostile(action: HTTP2ServerAction) async throws {
        let fixture = try Fixture(grant: { _, _ in action })
        guard case .unavailable(let reason)? = await fixture.send([android()])[1] else { return #expect(Bool(false)) }
        #expect(reason.hasPrefix("no access token: ") && !reason.contains("SECRET"), "\(reason)")
        #expect(fixture.requests.all.isEmpty)
    }

    @Test("What waits for a token that does not come is given back at its deadline")
    func silence() async throws {
        let fixture = try Fixture(grant: { _, _ in .silent })
        let reason = "the deadline passed while an access token was awaited"
        let outcomes = await fixture.send([android(1, seconds: 0)])
        #expect(outcomes == [1: .retry(after: nil, scope: .provider, reason: reason)])
    }

    @Test("Two channels with one account and one token endpoint share the token")
    func sharing() async throws {
        let account = try ServiceAccount(file: Array(try accountFile().utf8))
        let tokens = AccessTokens()
        let first = tokens.token(of: account, file: [1], roots: [], log: .silent)
        #expect(first === tokens.token(of: account, file: [1], roots: [], log: .silent))
        #expect(first !== tokens.token(of: account, file: [2], roots: [], log: .silent))
        #expect(first !== tokens.token(of: account, file: [1], roots: [1], log: .silent))
    }
}
