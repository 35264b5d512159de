// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPClient
import JSON

/// What the token endpoint's answers mean (RFC 6749, 5.1 and 5.2).
extension TokenGrant {
    /// How long a token is taken to live where the endpoint does not say, in seconds.
    private static let usualLife: Int64 = 3600
    private static let longestToken = 8192
    /// How far clocks may be apart before that is the likely cause, in seconds.
    private static let tolerance: Int64 = 60

    private static let advice = [
        "invalid_client": "there is no such service account",
        "unauthorized_client": "the service account may not send messages",
        "invalid_scope": "the service account may not send messages",
        "access_denied": "the service account may not send messages",
    ]

    /// Those of RFC 6749, 5.2, and what Google says beside them.
    private static let knownWords: Set<String> = [
        "access_denied", "account_disabled", "admin_policy_enforced", "deleted_client", "disabled_client",
        "internal_failure", "invalid_client", "invalid_grant", "invalid_request", "invalid_scope", "org_internal",
        "rate_limit_exceeded", "server_error", "temporarily_unavailable", "unauthorized_client",
        "unsupported_grant_type",
    ]

    /// Draws a token, or why there is none, from an answer that came now.
    static func judge(_ response: HTTPClientResponse, now: WallTime) -> Result<AccessToken.Grant, AccessToken.Failure> {
        let json = try? JSONValue(parsing: response.body)
        if response.status == 200, let json, let grant = grant(json) { return .success(grant) }
        let after = response.headers["Retry-After"].flatMap {
            RetryAfter.milliseconds($0, answered: response.headers["Date"], now: now)
        }
        return .failure(AccessToken.Failure(reason(response, json, now: now), retryAfter: after))
    }

    private static func grant(_ json: JSONValue) -> AccessToken.Grant? {
        guard let token = json["access_token"]?.string, (1...longestToken).contains(token.utf8.count),
            token.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            json["token_type"].map({ $0.string?.lowercased() == "bearer" }) ?? true
        else { return nil }
        let life = json["expires_in"].map { $0.number } ?? Double(usualLife)
        guard let life, (1...86_400).contains(life) else { return nil }
        return AccessToken.Grant(token: token, life: Int64(life))
    }

    private static func reason(_ response: HTTPClientResponse, _ json: JSONValue?, now: WallTime) -> String {
        // Nothing else of a stranger's text gets into our errors: it may repeat what was sent.
        let word = json?["error"]?.string.flatMap { knownWords.contains($0) ? $0 : nil }
        guard response.status != 200 else { return "no access token: what came is not a token endpoint's answer" }
        let said = "no access token: the token endpoint says \(response.status)" + (word.map { " \($0)" } ?? "")
        guard let word else { return said }
        if word == "invalid_grant" { return "\(said): \(grantAdvice(response, now: now))" }
        return advice[word].map { "\(said): \($0)" } ?? said
    }

    /// The endpoint's time, where it refuses an assertion and its clock and ours differ enough to be the cause.
    static func time(whereRefusedFor response: HTTPClientResponse, now: WallTime) -> WallTime? {
        guard response.status == 400, let theirs = response.date,
            abs(theirs.milliseconds(since: now)) > tolerance * 1_000,
            (try? JSONValue(parsing: response.body))?["error"]?.string == "invalid_grant"
        else { return nil }
        return theirs
    }

    /// `invalid_grant` is what Google says of a bad signature, of a deleted account, and of a wrong clock.
    private static func grantAdvice(_ response: HTTPClientResponse, now: WallTime) -> String {
        let cause = "the key was deleted, or is another account's"
        guard let theirs = response.date else { return "\(cause), or this machine's clock is wrong" }
        let ahead = now.milliseconds(since: theirs) / 1_000
        guard abs(ahead) > tolerance else { return cause }
        return difference(now, theirs)
    }

    /// How far our clock is from the endpoint's, and what to do about it.
    static func difference(_ ours: WallTime, _ theirs: WallTime) -> String {
        let ahead = ours.milliseconds(since: theirs) / 1_000
        let direction = ahead > 0 ? "ahead of" : "behind"
        return "this machine's clock is \(span(abs(ahead))) \(direction) the token endpoint's; set it right"
    }

    /// A span in words: `1 h 5 min`.
    private static func span(_ seconds: Int64) -> String {
        let parts = [(seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "min")]
        return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }
}
