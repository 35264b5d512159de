// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import JSON

/// What Google checks of a service account's request for an access token.
///
/// Source: Google's "Using OAuth 2.0 for server to server applications".
struct GrantChecks {
    private static let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    private static let scopes: Set<Substring> = [
        "https://www.googleapis.com/auth/firebase.messaging", "https://www.googleapis.com/auth/cloud-platform",
    ]
    /// The longest a JWT may live, and how far its clock may be off, in seconds.
    private static let life: Int64 = 3600
    private static let tolerance: Int64 = 300

    let key: VerifyingKey
    let address: String

    /// Checks a request at a time in seconds since 1970.
    func check(_ request: PushRequest, now: Int64) throws(OAuthError) {
        guard request.path == OAuthDesk.path else { throw OAuthError("not_found", "no such path", status: 404) }
        guard request.method == "POST" else { throw OAuthError("invalid_request", "POST is wanted", status: 405) }
        guard request.header("content-type")?.hasPrefix("application/x-www-form-urlencoded") == true else {
            throw OAuthError("invalid_request", "a form is wanted")
        }
        // A form reads as a query does.
        let form = HTTPRequest(method: "POST", path: "/", query: String(decoding: request.body, as: UTF8.self))
        guard form.queryValue("grant_type") == Self.grant else {
            throw OAuthError("unsupported_grant_type", "Invalid grant_type")
        }
        guard let assertion = form.queryValue("assertion"), let token = SignedToken(assertion),
            let head = try? JSONValue(parsing: token.header), let claims = try? JSONValue(parsing: token.claims)
        else { throw OAuthError("invalid_grant", "Bad JWT") }
        guard claims["iss"]?.string == ServiceAccountKey.email else {
            throw OAuthError("invalid_grant", "Invalid grant: account not found")
        }
        guard head["alg"]?.string == "RS256", head["kid"].map({ $0.string == ServiceAccountKey.id }) ?? true,
            token.isSigned(by: key)
        else { throw OAuthError("invalid_grant", "Invalid JWT Signature.") }
        try check(claims, now)
    }

    private func check(_ claims: JSONValue, _ now: Int64) throws(OAuthError) {
        guard claims["aud"]?.string == address else { throw OAuthError("invalid_grant", "Invalid JWT: wrong audience") }
        let scopes = claims["scope"]?.string?.split(separator: " ") ?? []
        guard !Self.scopes.isDisjoint(with: scopes) else {
            throw OAuthError("invalid_scope", "Invalid OAuth scope or ID token audience provided.")
        }
        guard let issued = claims["iat"]?.integer, let end = claims["exp"]?.integer, end > issued,
            end - issued <= Self.life, issued <= now + Self.tolerance, end > now - Self.tolerance
        else {
            let advice = "Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat"
            throw OAuthError("invalid_grant", "Invalid JWT: \(advice) and exp values in the JWT claim.")
        }
    }
}
