// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import Threads
import Unicode

/// Checks WS-Security UsernameTokens: the password as text, or its digest with a nonce that is used once.
final class TokenVerifier: Sendable {
    /// Waits until what was used up with a token is on disk, and says whether it is.
    typealias Kept = @Sendable () async -> Bool

    /// How far a token's time may be from ours, in seconds.
    private static let window: Int64 = 300

    private let credentials: Credentials
    private let door: any Doorkeeper
    private let now: @Sendable () -> WallTime

    init(
        _ credentials: Credentials,
        door: any Doorkeeper,
        now: @escaping @Sendable () -> WallTime = { .now() }
    ) {
        self.credentials = credentials
        self.door = door
        self.now = now
    }

    /// Returns if the token proves that the caller is the bank.
    ///
    /// - Returns: what must have come true before the caller hears of success; `nil` for a password as text.
    /// - Throws: ``RefusedToken``, with the same fault for all that is wrong, so that nobody learns what; a fault of the
    ///   server's where nonces cannot be remembered.
    func verify(_ token: UsernameToken?) async throws -> Kept? {
        guard let token else { throw RefusedToken(reason: .missing) }
        guard let username = token.username, let password = token.password,
            ConstantTime.equal(trimmed(username), credentials.username)
        else { throw RefusedToken(reason: .wrong) }
        guard token.isDigest else {
            guard ConstantTime.equal(password, credentials.password.reveal()) else {
                throw RefusedToken(reason: .wrong)
            }
            return nil
        }
        guard let nonce = token.nonce.map(trimmed), let bytes = Base64.decode(nonce), !bytes.isEmpty,
            let created = token.created.map(trimmed), let time = Timestamp.seconds(created),
            abs(now().seconds - Int64(time)) <= Self.window,
            ConstantTime.equal(trimmed(password), digest(bytes, created))
        else { throw RefusedToken(reason: .wrong) }
        return try await use(bytes, until: WallTime(seconds: Int64(time) + Self.window + 1))
    }

    /// Base64(SHA-1(nonce, time as sent, password)), UsernameToken Profile 1.0 §3.1.
    ///
    /// The time is without blanks: else one that ends the nonce could begin the time, and the token be used twice.
    private func digest(_ nonce: [UInt8], _ created: String) -> String {
        Base64.encode(SHA1.hash(nonce + Array(created.utf8) + Array(credentials.password.reveal().utf8)))
    }

    /// A nonce is its user's, at whichever door.
    private func use(_ nonce: [UInt8], until: WallTime) async throws -> Kept {
        let key = Array("ws-security \(credentials.username.utf8.count) \(credentials.username) ".utf8) + nonce
        switch await door.once(key, until: until) {
        case .first(let kept): return kept
        case .again: throw RefusedToken(reason: .replayed)
        case .unavailable(let seconds):
            throw SOAPFault(code: .server, message: "overloaded, try again later", retryAfter: seconds)
        }
    }
}

/// A token that proves nothing.
struct RefusedToken: Error {
    let reason: CallRefusal

    var fault: SOAPFault {
        SOAPFault(code: .failedAuthentication, message: "the UsernameToken is missing or not valid")
    }
}
