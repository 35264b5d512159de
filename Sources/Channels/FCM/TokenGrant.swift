// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import HTTPClient
import JSON

/// Asks for access tokens with a JWT that the service account's key signs (RFC 7523).
struct TokenGrant: Sendable {
    private static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    /// How long a JWT may live, in seconds: Google allows no more.
    private static let life: Int64 = 3600
    private static let answerLimit = 64 << 10

    private let account: ServiceAccount
    private let client: HTTPClient
    private let log: Log
    private let clock: @Sendable () -> WallTime

    init(
        _ account: ServiceAccount,
        roots: [UInt8],
        log: Log = .silent,
        clock: @escaping @Sendable () -> WallTime = WallTime.now
    ) {
        self.account = account
        self.log = log
        self.clock = clock
        client = HTTPClient(
            HTTPClientConfiguration(extraRoots: roots, concurrentRequests: 1, waitingRequests: 1),
            name: "fcm-oauth"
        )
    }

    func ask() async -> Result<AccessToken.Grant, AccessToken.Failure> {
        do throws(CryptoError) {
            let now = clock()
            let answer = try await answer(at: now)
            guard case .success(let response) = answer, let theirs = Self.time(whereRefusedFor: response, now: now)
            else { return answer.flatMap { Self.judge($0, now: now) } }
            // Our clock is wrong: the assertion states theirs, once.
            log.warning(
                "an access token is asked for by the endpoint's clock",
                ["reason": Self.difference(now, theirs)]
            )
            return try await self.answer(at: theirs).flatMap { Self.judge($0, now: clock()) }
        } catch {
            return .failure(AccessToken.Failure("no access token: \(error.description)"))
        }
    }

    private func answer(
        at now: WallTime
    ) async throws(CryptoError) -> Result<HTTPClientResponse, AccessToken.Failure> {
        let request = try makeRequest(at: now)
        do throws(HTTPClientError) { return .success(try await client.send(request)) } catch {
            return .failure(AccessToken.Failure("no access token: \(error.description)"))
        }
    }

    private func makeRequest(at now: WallTime) throws(CryptoError) -> HTTPClientRequest {
        let claims: KeyValuePairs<String, JWT.Value> = [
            "iss": .string(account.email), "scope": .string(Self.scope), "aud": .string(account.tokenURI),
            "iat": .integer(now.seconds), "exp": .integer(now.seconds + Self.life),
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
