// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import HTTPClient
import JSON
import Threads

/// Asks for access tokens with a JWT that the service account's key signs (RFC 7523).
struct TokenGrant: Sendable {
    private static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    /// How long a JWT may live, in seconds: Google allows no more.
    private static let life: Int64 = 3600
    private static let answerLimit = 64 << 10

    private let account: ServiceAccount
    private let client: HTTPClient

    init(_ account: ServiceAccount, roots: [UInt8]) {
        self.account = account
        client = HTTPClient(
            HTTPClientConfiguration(extraRoots: roots, concurrentRequests: 1, waitingRequests: 1),
            name: "fcm-oauth"
        )
    }

    func ask() async -> Result<AccessToken.Grant, AccessToken.Failure> {
        let request: HTTPClientRequest
        do throws(CryptoError) { request = try makeRequest(at: Clock.wallMilliseconds() / 1000) } catch {
            return .failure(AccessToken.Failure("no access token: \(error.description)"))
        }
        do throws(HTTPClientError) {
            return Self.judge(try await client.send(request), now: Clock.wallMilliseconds())
        } catch {
            return .failure(AccessToken.Failure("no access token: \(error.description)"))
        }
    }

    private func makeRequest(at now: Int64) throws(CryptoError) -> HTTPClientRequest {
        let claims: KeyValuePairs<String, JWT.Value> = [
            "iss": .string(account.email), "scope": .string(Self.scope), "aud": .string(account.tokenURI),
            "iat": .integer(now), "exp": .integer(now + Self.life),
        ]
        let assertion =
            if let id = account.keyID {
                try JWT.sign(header: ["typ": .string("JWT"), "kid": .string(id)], claims: claims, key: account.key)
            } else {
                try JWT.sign(header: ["typ": .string("JWT")], claims: claims, key: account.key)
            }
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)"
        return HTTPClientRequest(
            method: "POST",
            url: account.tokenURI,
            headers: [("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json")],
            body: Array(form.utf8),
            connectLimit: .seconds(5),
            timeLimit: .seconds(10),
            responseLimit: Self.answerLimit
        )
    }
}
