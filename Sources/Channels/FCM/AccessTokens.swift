// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import HTTPClient
import Synchronization

/// The access tokens of this process, one for each service account that a channel uses.
///
/// Global, so that two pipelines of one project, and a channel before and after a reload, ask Google once. What no
/// channel uses any more is let go of.
final class AccessTokens: Sendable {
    static let shared = AccessTokens()

    private struct Name: Hashable {
        /// Tells a key file from the one that replaces it.
        let file: SHA256.Digest
        let roots: SHA256.Digest
    }

    private struct Entry {
        weak var token: AccessToken?
    }

    private let tokens = Mutex<[Name: Entry]>([:])

    func token(of account: ServiceAccount, file: [UInt8], roots: [UInt8], log: Log) -> AccessToken {
        let name = Name(file: SHA256.hash(file), roots: SHA256.hash(roots))
        return tokens.withLock { tokens in
            if let known = tokens[name]?.token { return known }
            let grant = TokenGrant(account, roots: roots, log: log)
            let made = AccessToken(log: log) { await grant.ask() }
            tokens = tokens.filter { $0.value.token != nil }
            tokens[name] = Entry(token: made)
            return made
        }
    }
}
