// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import Synchronization
import Threads
import Unicode

/// Checks WS-Security UsernameTokens: the password as text, or its digest with a nonce that is used once.
final class TokenVerifier: Sendable {
    /// How far a token's time may be from ours, in seconds.
    private static let window = 300
    /// Nonces remembered; a token beyond that within the window is refused for the time being.
    private static let capacity = 200_000

    private let credentials: Credentials
    private let now: @Sendable () -> Int
    /// Nonces seen, with the second they are forgotten at.
    private let seen = Mutex<[String: Int]>([:])

    init(
        _ credentials: Credentials,
        now: @escaping @Sendable () -> Int = { Int(Clock.wallMilliseconds() / 1000) }
    ) {
        self.credentials = credentials
        self.now = now
    }

    /// Returns if the token proves that the caller is the bank.
    ///
    /// - Throws: the same fault for all that is wrong, so that nobody learns what.
    func verify(_ token: UsernameToken?) throws(SOAPFault) {
        let refusal = SOAPFault(code: .failedAuthentication, message: "the UsernameToken is missing or not valid")
        guard let token, let username = token.username, let password = token.password,
            ConstantTime.equal(trimmed(username), credentials.username)
        else { throw refusal }
        guard token.isDigest else {
            guard ConstantTime.equal(password, credentials.password.reveal()) else { throw refusal }
            return
        }
        guard let nonce = token.nonce.map(trimmed), let bytes = Base64.decode(nonce), !bytes.isEmpty,
            let created = token.created.map(trimmed), let time = Timestamp.seconds(created),
            abs(now() - time) <= Self.window,
            ConstantTime.equal(trimmed(password), digest(bytes, created))
        else { throw refusal }
        guard try isNew(nonce, time) else { throw refusal }
    }

    /// Base64(SHA-1(nonce, time as sent, password)), UsernameToken Profile 1.0 §3.1.
    ///
    /// The time is without blanks: else one that ends the nonce could begin the time, and the token be used twice.
    private func digest(_ nonce: [UInt8], _ created: String) -> String {
        Base64.encode(SHA1.hash(nonce + Array(created.utf8) + Array(credentials.password.reveal().utf8)))
    }

    private func isNew(_ nonce: String, _ time: Int) throws(SOAPFault) -> Bool {
        let now = now()
        let result: Bool? = seen.withLock { seen in
            if let until = seen[nonce], until >= now { return false }
            if seen.count >= Self.capacity { seen = seen.filter { $0.value >= now } }
            guard seen.count < Self.capacity else { return nil }
            seen[nonce] = time + Self.window
            return true
        }
        guard let result else { throw SOAPFault(code: .server, message: "overloaded, try again later", retryAfter: 5) }
        return result
    }
}
