// SPDX-License-Identifier: Apache-2.0

import Crypto
import Synchronization

/// The tokens of this process, one for each signing key.
///
/// Global, because Apple counts tokens for a key and not for our pipelines: two channels with one key, or a channel
/// before and after a reload, must show the same token or are told that it changes too often. It holds no more
/// entries than keys were configured since the start.
final class ProviderTokens: Sendable {
    static let shared = ProviderTokens()

    private struct Name: Hashable {
        let keyID: String
        let teamID: String
        /// Tells a key file from the one that replaces it under the same ids.
        let file: SHA256.Digest
    }

    private let tokens = Mutex<[Name: ProviderToken]>([:])

    func token(keyID: String, teamID: String, key: SigningKey, file: [UInt8]) -> ProviderToken {
        let name = Name(keyID: keyID, teamID: teamID, file: SHA256.hash(file))
        return tokens.withLock { tokens in
            if let known = tokens[name] { return known }
            let made = ProviderToken(keyID: keyID, teamID: teamID, key: key)
            tokens[name] = made
            return made
        }
    }
}
