// SPDX-License-Identifier: Apache-2.0

import Crypto
import JSON

/// The keys whose holders may push, and the team they belong to.
struct ProviderKeys: Sendable {
    let team: String
    var keys: [String: VerifyingKey]
}

/// A provider's JWT as one connection has seen it.
///
/// Apple binds a connection to the key of its first push, lets the token change once in 20 minutes, and answers
/// ExpiredProviderToken to everything that follows on a connection after it has done so once.
struct ProviderTokens {
    private static let lifetime: Int64 = 3600
    private static let shortestUse: Int64 = 20 * 60
    /// How far the sender's clock may be ahead.
    private static let tolerance: Int64 = 300

    private struct Accepted {
        let header: String
        let key: String
        let issued: Int64
    }

    private var accepted: Accepted?
    private var changed: Int64?
    private var isWedged = false

    /// Whether a good token was seen.
    var isTrusted: Bool { accepted != nil }

    /// Checks the `authorization` header at a time in seconds since 1970.
    mutating func check(_ header: String?, against keys: ProviderKeys, now: Int64) throws(APNsReason) {
        guard let header else { throw .missingProviderToken }
        if isWedged { throw .expiredProviderToken }
        let known = accepted.flatMap { $0.header == header ? $0 : nil }
        let token: Accepted
        if let known { token = known } else { token = try Self.read(header, keys) }
        if token.issued > now + Self.tolerance { throw .invalidProviderToken }
        if now - token.issued > Self.lifetime {
            isWedged = true
            throw .expiredProviderToken
        }
        guard known == nil else { return }
        if let accepted {
            guard accepted.key == token.key else { throw .unrelatedKeyId }
            if let changed, now - changed < Self.shortestUse { throw .tooManyProviderTokenUpdates }
            changed = now
        }
        accepted = token
    }

    private static func read(_ header: String, _ keys: ProviderKeys) throws(APNsReason) -> Accepted {
        guard header.prefix(7).lowercased() == "bearer ", let token = SignedToken(String(header.dropFirst(7))),
            let head = try? JSONValue(parsing: token.header), let claims = try? JSONValue(parsing: token.claims),
            head["alg"]?.string == "ES256", let id = head["kid"]?.string, let key = keys.keys[id],
            claims["iss"]?.string == keys.team, let issued = claims["iat"]?.integer, token.isSigned(by: key)
        else { throw .invalidProviderToken }
        return Accepted(header: header, key: id, issued: issued)
    }
}
