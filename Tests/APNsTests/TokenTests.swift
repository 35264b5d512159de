// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import HTTP2
import PushService
import PushTesting
import Synchronization
import Testing

@testable import APNs

/// Clocks that a test sets.
private final class TestClock: Sendable {
    private let state: Mutex<ProvenClock.Reading>

    init(_ seconds: Int64) {
        state = Mutex(ProvenClock.Reading(wall: WallTime(seconds: seconds), monotonic: MonotonicTime(nanoseconds: 1)))
    }

    var reading: ProvenClock.Reading { state.withLock { $0 } }
    /// The wall clock.
    var now: WallTime { reading.wall }

    /// Lets time pass.
    func pass(_ seconds: Int64) {
        state.withLock {
            $0 = ProvenClock.Reading(
                wall: $0.wall.adding(seconds: seconds),
                monotonic: $0.monotonic.adding(milliseconds: seconds * 1_000)
            )
        }
    }

    /// Sets the wall clock forwards, or back.
    func turn(_ seconds: Int64) {
        state.withLock {
            $0 = ProvenClock.Reading(wall: $0.wall.adding(seconds: seconds), monotonic: $0.monotonic)
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct TokenTests {
    private static let minute: Int64 = 60
    private static let halfHour: Int64 = 1_700_000_000 / 1800 * 1800

    private func token(_ clock: TestClock) -> ProviderToken {
        ProviderToken(keyID: "ABC123DEFG", teamID: "DEF123GHIJ", key: Secrets.shared.key) { clock.reading }
    }

    @Test("Whenever it starts, a process uses tokens of half hours, each for 20 to 50 minutes", arguments: 0..<30)
    func schedule(minute: Int64) throws {
        let clock = TestClock(Self.halfHour + minute * Self.minute)
        let token = token(clock)
        var last = try token.current()
        var changed = clock.now
        var uses: [Int64] = []
        for _ in 0..<240 {
            clock.pass(Self.minute)
            let next = try token.current()
            #expect((0..<50 * Self.minute).contains(clock.now.seconds - next.issuedAt.seconds))
            #expect(next.issuedAt.seconds % 1800 == 0)
            guard next.version != last.version else { continue }
            uses.append(clock.now.seconds - changed.seconds)
            (last, changed) = (next, clock.now)
        }
        #expect(uses.allSatisfy { $0 >= 20 * Self.minute } && uses.count >= 6)
    }

    @Test("Processes that know nothing of each other use tokens of the same time")
    func agreement() throws {
        let clock = TestClock(Self.halfHour)
        let first = token(clock)
        _ = try first.current()
        clock.pass(29 * Self.minute)
        let second = token(clock)
        for _ in 0..<120 {
            #expect(try first.current().issuedAt == second.current().issuedAt)
            clock.pass(Self.minute)
        }
    }

    @Test("A token that a provider calls expired is replaced once, and not again within 20 minutes")
    func renewal() throws {
        let clock = TestClock(Self.halfHour + 100)
        let token = token(clock)
        let first = try token.current()
        token.renew(after: first.version)
        let second = try token.current()
        #expect(second.version == 2 && second.issuedAt == clock.now && second.header != first.header)
        token.renew(after: first.version)
        #expect(try token.current() == second)
        clock.pass(19 * Self.minute)
        token.renew(after: second.version)
        #expect(try token.current() == second)
        clock.pass(Self.minute)
        token.renew(after: second.version)
        #expect(try token.current().version == 3)
    }

    @Test("A token that changes too often for a provider is kept")
    func hold() throws {
        let clock = TestClock(Self.halfHour)
        let token = token(clock)
        let first = try token.current()
        token.hold()
        token.renew(after: first.version)
        #expect(try token.current() == first)
    }

    @Test("A clock that was set back does not leave a token from the future")
    func setBack() throws {
        let clock = TestClock(Self.halfHour + 100)
        let token = token(clock)
        _ = try token.current()
        clock.turn(-7200)
        #expect(try token.current().issuedAt <= clock.now)
    }

    @Test(
        "A clock that is turned changes nothing about a token that the provider has taken, for as long as it takes it",
        arguments: [70, -70] as [Int64]
    )
    func turned(minutes: Int64) throws {
        let clock = TestClock(Self.halfHour + 100)
        let token = token(clock)
        let first = try token.current()
        token.confirm(first.version)
        clock.turn(minutes * Self.minute)
        #expect(try token.current() == first)
        // The true time goes on from the half hour; tokens go by it.
        clock.pass(50 * Self.minute)
        let second = try token.current()
        #expect(second.version == 2 && second.issuedAt.seconds == Self.halfHour + 1_800)
        token.confirm(second.version)
        clock.turn(-minutes * Self.minute)
        #expect(try token.current() == second)
    }

    @Test("A clock that is set right makes a new token at once", arguments: [70, -70, 200, -200] as [Int64])
    func setRight(minutes: Int64) throws {
        let clock = TestClock(Self.halfHour + 100 + minutes * Self.minute)
        let token = token(clock)
        let wrong = try token.current()
        // Refused, and refused again: there is nothing to go by but this clock.
        token.renew(after: wrong.version)
        token.renew(after: try token.current().version)
        clock.turn(-minutes * Self.minute)
        let right = try token.current()
        #expect((0..<1_800).contains(clock.now.seconds - right.issuedAt.seconds))
    }

    @Test("Where the proven clock is wrong (this machine slept) the wall clock counts after the first refusal")
    func slept() throws {
        let clock = TestClock(Self.halfHour + 100)
        let token = token(clock)
        let first = try token.current()
        token.confirm(first.version)
        clock.turn(90 * Self.minute)
        token.renew(after: first.version)
        #expect(try token.current().issuedAt == clock.now)
    }

    @Test("Channels with one key share one token, another file under the same ids has its own")
    func sharing() throws {
        let tokens = ProviderTokens()
        let key = Secrets.shared.key
        let first = tokens.token(keyID: "A", teamID: "T", key: key, file: [1])
        #expect(first === tokens.token(keyID: "A", teamID: "T", key: key, file: [1]))
        #expect(first !== tokens.token(keyID: "A", teamID: "T", key: key, file: [2]))
        #expect(first !== tokens.token(keyID: "B", teamID: "T", key: key, file: [1]))
    }

    /// A key of its own for each test, since tokens are shared by the process.
    private func freshAuth() throws -> String {
        let name = "fresh-\(SecureRandom.integer()).p8"
        try Secrets.shared.write(name, SigningKey.generate(.p256).pem())
        return "{ key: { path: \(Secrets.shared.path(name)), key_id: ABC123DEFG, team_id: DEF123GHIJ } }"
    }

    @Test("After ExpiredProviderToken everything goes out once more, with a new token on new connections")
    func expiry() async throws {
        let refused = Mutex<String?>(nil)
        let fixture = try Fixture(auth: freshAuth()) { _, request in
            let header = request.header("authorization")
            let isRefused = refused.withLock { refused in
                refused = refused ?? header
                return refused == header
            }
            return isRefused ? answer(403, #"{"reason":"ExpiredProviderToken"}"#) : ok
        }
        let outcomes = await fixture.send((1...50).map { delivery($0, token: "0\($0)") })
        #expect(outcomes.count == 50 && outcomes.values.allSatisfy { $0 == .accepted })
        #expect(Set(fixture.requests.all.compactMap { $0.header("authorization") }).count == 2)
        let good = fixture.requests.all.filter { $0.header("authorization") != refused.withLock { $0 } }
        let bad = fixture.requests.all.filter { $0.header("authorization") == refused.withLock { $0 } }
        #expect(good.count == 50)
        #expect(Set(good.map(\.stream.connection)).isDisjoint(with: bad.map(\.stream.connection)))
    }

    @Test("Where every token is expired the channel is unavailable, after two tries")
    func alwaysExpired() async throws {
        let fixture = try Fixture(auth: freshAuth()) { _, _ in answer(403, #"{"reason":"ExpiredProviderToken"}"#) }
        let expected = Outcome.unavailable(reason: "APNs says 403 ExpiredProviderToken: check this machine's clock")
        #expect(await fixture.send([delivery()]) == [1: expected])
        #expect(fixture.requests.all.count == 2)
    }

    @Test("A connection that goes with another key is replaced, and the push sent once more")
    func unrelatedKey() async throws {
        let fixture = try Fixture { _, request in
            request.stream.connection == 1 ? answer(403, #"{"reason":"UnrelatedKeyIdInToken"}"#) : ok
        }
        #expect(await fixture.send([delivery()]) == [1: .accepted])
        #expect(fixture.requests.all.map(\.stream.connection) == [1, 2])
    }
}
