// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import HTTP2
import HTTPClient
import JSON
import PushService
import PushTesting
import Testing

@testable import FCM

@Suite(.timeLimit(.minutes(1)))
struct GrantTests {
    private static let now = WallTime(milliseconds: 784_111_777_000)
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let prefix = "no access token: the token endpoint says"

    private func judge(
        _ status: Int,
        _ body: String,
        date: String? = Self.date,
        retryAfter: String? = nil
    ) -> Result<AccessToken.Grant, AccessToken.Failure> {
        var headers = HTTPHeaders()
        for (name, value) in [("Date", date), ("Retry-After", retryAfter)] {
            if let value { headers.add(name: Array(name.utf8), value: Array(value.utf8)) }
        }
        let response = HTTPClientResponse(status: status, headers: headers, body: Array(body.utf8))
        return TokenGrant.judge(response, now: Self.now)
    }

    private func reason(_ status: Int, _ body: String, date: String? = Self.date) -> String {
        guard case .failure(let failure) = judge(status, body, date: date) else { return "" }
        return failure.reason
    }

    @Test(
        "What a token endpoint may leave out, it may leave out",
        arguments: [
            (#"{"access_token":"ya29.x","expires_in":3599,"token_type":"Bearer"}"#, 3599),
            (#"{"access_token":"ya29.x","token_type":"bearer"}"#, 3600),
            (#"{"access_token":"ya29.x","expires_in":10.5,"scope":"s"}"#, 10),
        ] as [(String, Int64)]
    )
    func grants(body: String, life: Int64) {
        #expect(judge(200, body) == .success(AccessToken.Grant(token: "ya29.x", life: life)))
    }

    @Test(
        "What is no token is none, and is quoted nowhere",
        arguments: [
            "", "<html>SECRET</html>", "{}", #"{"access_token":""}"#, #"{"access_token":"a b"}"#,
            #"{"access_token":"x","expires_in":0}"#, #"{"access_token":"x","expires_in":-1}"#,
            #"{"access_token":"x","expires_in":"SECRET"}"#, #"{"access_token":"x","expires_in":1e99}"#,
            #"{"access_token":"x","token_type":"mac"}"#, #"{"access_token":"x\r\ny"}"#, #"{"access_token":7}"#,
        ]
    )
    func noGrants(body: String) {
        #expect(reason(200, body) == "no access token: what came is not a token endpoint's answer")
    }

    @Test(
        "Refusals are told in words",
        arguments: [
            (400, #"{"error":"invalid_client"}"#, " 400 invalid_client: there is no such service account"),
            (
                401, #"{"error":"unauthorized_client","error_description":"SECRET"}"#,
                " 401 unauthorized_client: the service account may not send messages"
            ),
            (400, #"{"error":"secret_word"}"#, " 400"), (400, #"{"error":"two SECRET"}"#, " 400"),
            (502, "<html>SECRET</html>", " 502"), (503, "", " 503"), (302, "", " 302"),
            (500, #"{"error":{"code":500}}"#, " 500"),
        ]
    )
    func refusals(status: Int, body: String, expected: String) {
        #expect(reason(status, body) == Self.prefix + expected)
    }

    @Test(
        "A clock that is wrong is told as such, by the server's own",
        arguments: [
            (date, "the key was deleted, or is another account's"),
            ("Sun, 06 Nov 1994 08:50:30 GMT", "the key was deleted, or is another account's"),
            (
                "Sun, 06 Nov 1994 10:54:37 GMT",
                "this machine's clock is 2 h 5 min behind the token endpoint's; set it right"
            ),
            (
                "Sat, 05 Nov 1994 08:47:37 GMT",
                "this machine's clock is 1 d 2 min ahead of the token endpoint's; set it right"
            ),
            (nil, "the key was deleted, or is another account's, or this machine's clock is wrong"),
            ("soon", "the key was deleted, or is another account's, or this machine's clock is wrong"),
        ] as [(String?, String)]
    )
    func clocks(date: String?, expected: String) {
        let said = reason(400, #"{"error":"invalid_grant"}"#, date: date)
        #expect(said == "\(Self.prefix) 400 invalid_grant: \(expected)")
    }

    @Test("Retry-After of the token endpoint is heeded")
    func retryAfter() {
        let expected = AccessToken.Failure("\(Self.prefix) 503", retryAfter: 7000)
        #expect(judge(503, "", retryAfter: "7") == .failure(expected))
        // A date counts from the endpoint's own, an hour from ours.
        let later = judge(503, "", date: "Sun, 06 Nov 1994 09:49:37 GMT", retryAfter: "Sun, 06 Nov 1994 09:49:44 GMT")
        #expect(later == .failure(expected))
    }

    @Test("The request is a form with a JWT that the account's key signs for an hour")
    func request() async throws {
        let fixture = try Fixture()
        #expect(await fixture.send([android()]) == [1: .accepted])
        let request = try #require(fixture.grants.all.first)
        #expect(request.method == "POST" && request.path == "/token")
        #expect(request.header("content-type") == "application/x-www-form-urlencoded")
        let form = HTTPRequest(method: "POST", path: "/", query: String(decoding: request.body, as: UTF8.self))
        #expect(form.queryValue("grant_type") == "urn:ietf:params:oauth:grant-type:jwt-bearer")
        let token = try #require(form.queryValue("assertion").flatMap(SignedToken.init))
        #expect(token.isSigned(by: Secrets.shared.rsa.verifyingKey))
        #expect(String(decoding: token.header, as: UTF8.self) == #"{"alg":"RS256","typ":"JWT","kid":"k1"}"#)
        let claims = try JSONValue(parsing: token.claims)
        #expect(claims["iss"]?.string == "bus@megabank-1.iam.gserviceaccount.com")
        #expect(claims["scope"]?.string == "https://www.googleapis.com/auth/firebase.messaging")
        #expect(claims["aud"]?.string == "https://localhost:\(fixture.endpoint.port)/token")
        let issued = try #require(claims["iat"]?.integer)
        #expect(abs(issued - WallTime.now().seconds) <= 5)
        #expect(claims["exp"]?.integer == issued + 3600)
    }
}
