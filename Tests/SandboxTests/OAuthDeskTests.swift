// SPDX-License-Identifier: Apache-2.0

import Crypto
import JSON
import Testing

@testable import Sandbox

struct OAuthDeskTests {
    private static let now: Int64 = 1_800_000_000
    private static let key = Result { try SigningKey.generate(.rsa) }
    private static let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
    private let book = AccessTokenBook(lifetime: 60)
    private var desk: OAuthDesk

    init() throws {
        desk = OAuthDesk(key: try Self.key.get().verifyingKey, book: book, capacity: 100)
        desk.opened(at: "https://127.0.0.1:1")
    }

    private func assertion(
        iss: String = ServiceAccountKey.email,
        scope: String = "https://www.googleapis.com/auth/firebase.messaging",
        aud: String = "https://127.0.0.1:1/token",
        iat: Int64 = now,
        life: Int64 = 3600,
        kid: String = ServiceAccountKey.id,
        key: SigningKey? = nil
    ) throws -> String {
        let claims: KeyValuePairs<String, JWT.Value> = [
            "iss": .string(iss), "scope": .string(scope), "aud": .string(aud), "iat": .integer(iat),
            "exp": .integer(iat + life),
        ]
        return try JWT.sign(header: ["kid": .string(kid)], claims: claims, key: key ?? Self.key.get())
    }

    /// `200`, or the status with the error.
    private mutating func outcome(_ form: String, path: String = "/token", type: String? = nil) -> String {
        let request = PushRequest(
            method: "POST",
            path: path,
            headers: [("content-type", type ?? "application/x-www-form-urlencoded")],
            body: Array(form.utf8)
        )
        guard case .answer(let status, let fields, let body) = desk.react(to: request, on: 1, at: Self.now * 1000).act
        else { return "no answer" }
        #expect(fields["date"] == "Fri, 15 Jan 2027 08:00:00 GMT")
        guard let error = (try? JSONValue(parsing: body))?["error"]?.string else { return "\(status)" }
        return "\(status) \(error)"
    }

    private mutating func outcome(assertion: String) -> String {
        outcome("grant_type=\(Self.grant)&assertion=\(assertion)")
    }

    @Test("A good request gets a token that opens FCM for as long as it says, and the record keeps no secret")
    mutating func grant() throws {
        #expect(outcome(assertion: try assertion()) == "200")
        #expect(book.issued == 1)
        let record = try #require(desk.records.all.first)
        #expect(record.token == ServiceAccountKey.email && record.body.isEmpty && record.status == 200)
        let issued = book.issue(at: 0)
        #expect(issued.lifetime == 60)
        #expect(book.isValid(issued.token, at: 59_999) && !book.isValid(issued.token, at: 60_000))
    }

    @Test("What Google refuses is refused")
    mutating func refusals() throws {
        let stranger = try SigningKey.generate(.rsa)
        let bad = [
            try assertion(iss: "nobody@x"), try assertion(aud: "https://oauth2.googleapis.com/token"),
            try assertion(iat: Self.now + 301), try assertion(iat: Self.now - 3901), try assertion(life: 3601),
            try assertion(life: 0), try assertion(kid: "other"), try assertion(key: stranger), "x.y.z", "",
        ]
        for assertion in bad { #expect(outcome(assertion: assertion) == "400 invalid_grant") }
        #expect(outcome(assertion: try assertion(scope: "email")) == "400 invalid_scope")
        #expect(outcome("grant_type=password") == "400 unsupported_grant_type")
        #expect(outcome("{}", type: "application/json") == "400 invalid_request")
        #expect(outcome("", path: "/other") == "404 not_found")
        #expect(book.issued == 0)
    }

    @Test("A rule meets only good requests, and says what it wants")
    mutating func rules() throws {
        desk.rules.replace(with: [PushRule(status: 401, reason: "unauthorized_client", times: 1)], at: 0)
        #expect(outcome("") == "400 unsupported_grant_type")
        #expect(outcome(assertion: try assertion()) == "401 unauthorized_client")
        #expect(outcome(assertion: try assertion()) == "200")
    }
}
