// SPDX-License-Identifier: Apache-2.0

import Crypto
import Synchronization

/// The JWT of one signing key, the same object for every channel of the process that uses the key.
///
/// Apple wants a token that is at most 60 minutes old, and on one connection a new one at most every 20 minutes. A
/// token's `iat` is the beginning of the half hour in which it is made, and it is used until `iat` is 50 minutes old.
/// So processes that know nothing of each other use the same tokens, no token is used for less than 20 minutes, and
/// nothing about it needs to be kept on disk.
final class ProviderToken: Sendable {
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
        let issuedAt: Int64
    }

    private struct State {
        var current: Issued?
        /// When a provider last made us change the token before its time.
        var forcedAt: Int64?
    }

    private let keyID: String
    private let teamID: String
    private let key: SigningKey
    private let clock: @Sendable () -> Int64
    private let state = Mutex(State())

    /// The clock tells the time in seconds since 1970.
    init(keyID: String, teamID: String, key: SigningKey, clock: @escaping @Sendable () -> Int64) {
        self.keyID = keyID
        self.teamID = teamID
        self.key = key
        self.clock = clock
    }

    /// The token to use now; a new one is signed under the lock, so that it is signed once.
    func current() throws(CryptoError) -> Issued {
        let now = clock()
        let result = state.withLock { state -> Result<Issued, CryptoError> in
            if let held = state.current, (-Self.tolerance..<Self.longestUse).contains(now - held.issuedAt) {
                return .success(held)
            }
            return issue(now / Self.grid * Self.grid, &state)
        }
        return try result.get()
    }

    /// Makes a token because the provider calls the one of `version` expired: our clocks differ.
    ///
    /// Nothing happens where it was replaced meanwhile, or where the provider had its way within 20 minutes. The
    /// connections must be replaced as well: towards a new one the 20 minutes begin anew.
    func renew(after version: Int) {
        let now = clock()
        state.withLock { state in
            guard state.current?.version == version else { return }
            if let forced = state.forcedAt, (0..<Self.shortestUse).contains(now - forced) { return }
            guard case .success = issue(now, &state) else { return }
            state.forcedAt = now
        }
    }

    /// Makes none before its time for 20 minutes: the provider says that tokens change too often.
    func hold() {
        let now = clock()
        state.withLock { $0.forcedAt = now }
    }

    private func issue(_ time: Int64, _ state: inout State) -> Result<Issued, CryptoError> {
        do throws(CryptoError) {
            let token = try JWT.sign(
                header: ["kid": .string(keyID)],
                claims: ["iss": .string(teamID), "iat": .integer(time)],
                key: key
            )
            let version = (state.current?.version ?? 0) + 1
            let issued = Issued(header: "bearer \(token)", version: version, issuedAt: time)
            state.current = issued
            return .success(issued)
        } catch {
            return .failure(error)
        }
    }
}
