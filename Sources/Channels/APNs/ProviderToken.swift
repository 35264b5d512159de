// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import PushService
import Synchronization

/// The JWT of one signing key, the same object for every channel of the process that uses the key.
///
/// Apple wants a token that is at most 60 minutes old, and on one connection a new one at most every 20 minutes. A
/// token's `iat` is the beginning of the half hour in which it is made, and it is used until `iat` is 50 minutes old.
/// So processes that know nothing of each other use the same tokens, no token is used for less than 20 minutes, and
/// nothing about it needs to be kept on disk.
///
/// What time it is, is judged by ``ProvenClock``: setting the machine's clock does not change what Apple thinks.
final class ProviderToken: Sendable {
    /// In seconds.
    static let grid: Int64 = 30 * 60
    static let longestUse: Int64 = 50 * 60
    static let shortestUse: Int64 = 20 * 60
    /// How far a clock may be set back before a token from the future is replaced.
    private static let tolerance: Int64 = 60

    /// A token as it stands in the `authorization` header.
    struct Issued: Sendable, Equatable {
        let header: String
        /// Counts the tokens of this key, from 1.
        let version: Int
        /// Its `iat`.
        let issuedAt: WallTime
        /// By which clocks it was made.
        fileprivate let made: ProvenClock.Reading

        /// What requests show.
        var credential: PushCredential { PushCredential(authorization: header, version: version) }
    }

    private struct State {
        var current: Issued?
        var clock = ProvenClock()
        /// When a provider last made us change the token before its time.
        var forcedAt: MonotonicTime?
    }

    private let keyID: String
    private let teamID: String
    private let key: SigningKey
    private let read: @Sendable () -> ProvenClock.Reading
    private let state = Mutex(State())

    init(
        keyID: String,
        teamID: String,
        key: SigningKey,
        clock: @escaping @Sendable () -> ProvenClock.Reading = ProvenClock.Reading.now
    ) {
        self.keyID = keyID
        self.teamID = teamID
        self.key = key
        read = clock
    }

    /// The token to use now; a new one is signed under the lock, so that it is signed once.
    func current() throws(CryptoError) -> Issued {
        let now = read()
        let result = state.withLock { state -> Result<Issued, CryptoError> in
            let time = state.clock.time(now)
            if let held = state.current, (-Self.tolerance..<Self.longestUse).contains(Self.age(of: held, at: time)) {
                return .success(held)
            }
            return issue(WallTime(seconds: time.seconds / Self.grid * Self.grid), now, &state)
        }
        return try result.get()
    }

    private static func age(of token: Issued, at time: WallTime) -> Int64 {
        time.milliseconds(since: token.issuedAt) / 1_000
    }

    /// Notes that the provider accepted the token of `version`: the clock that it was made by is right.
    func confirm(_ version: Int) {
        state.withLock { state in
            guard let current = state.current, current.version == version else { return }
            state.clock.confirm(current.made)
        }
    }

    /// Makes a token because the provider calls the one of `version` expired: our clocks differ.
    ///
    /// Nothing happens where it was replaced meanwhile, or where the provider had its way within 20 minutes. The
    /// connections must be replaced as well: towards a new one the 20 minutes begin anew.
    func renew(after version: Int) {
        let now = read()
        state.withLock { state in
            guard state.current?.version == version else { return }
            state.clock.refute()
            if let forced = state.forcedAt, now.monotonic < Self.end(of: forced) { return }
            guard case .success = issue(now.wall, now, &state) else { return }
            state.forcedAt = now.monotonic
        }
    }

    /// Makes none before its time for 20 minutes: the provider says that tokens change too often.
    func hold() {
        let now = read()
        state.withLock { $0.forcedAt = now.monotonic }
    }

    private static func end(of forced: MonotonicTime) -> MonotonicTime {
        forced.adding(milliseconds: shortestUse * 1_000)
    }

    private func issue(
        _ time: WallTime,
        _ now: ProvenClock.Reading,
        _ state: inout State
    ) -> Result<Issued, CryptoError> {
        do throws(CryptoError) {
            let token = try JWT.sign(
                header: ["kid": .string(keyID)],
                claims: ["iss": .string(teamID), "iat": .integer(time.seconds)],
                key: key
            )
            let version = (state.current?.version ?? 0) + 1
            let made = ProvenClock.Reading(wall: state.clock.time(now), monotonic: now.monotonic)
            let issued = Issued(header: "bearer \(token)", version: version, issuedAt: time, made: made)
            state.current = issued
            return .success(issued)
        } catch {
            return .failure(error)
        }
    }
}
