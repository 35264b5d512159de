// SPDX-License-Identifier: Apache-2.0

import Crypto
import Testing

@testable import Sandbox

struct ProviderTokenTests {
    private var fixture: DeskFixture

    init() throws { fixture = try DeskFixture() }

    private mutating func outcome(_ bearer: String, after seconds: Int64 = 0) throws -> String {
        let request = try fixture.request(["authorization": bearer])
        return fixture.outcome(request, at: DeskFixture.now + seconds * 1000)
    }

    @Test("Key, team, algorithm and signature must be right")
    mutating func wrong() throws {
        let other = try SigningKey.generate(.p256)
        let rsa = try SigningKey.generate(.rsa)
        for bearer in [
            try fixture.bearer(kid: "KEY0000002"), try fixture.bearer(iss: "TEAM000002"),
            try fixture.bearer(key: other), try fixture.bearer(key: rsa),
            try fixture.bearer(iat: DeskFixture.now / 1000 + 400), "basic abc", try fixture.bearer() + "A",
        ] {
            #expect(try outcome(bearer) == "403 InvalidProviderToken")
        }
        #expect(try outcome(try fixture.bearer()) == "200")
    }

    @Test("A token is good for an hour; after that the connection is lost for good")
    mutating func age() throws {
        let bearer = try fixture.bearer()
        #expect(try outcome(bearer, after: 3600) == "200")
        #expect(try outcome(bearer, after: 3601) == "403 ExpiredProviderToken")
        let fresh = try fixture.bearer(iat: DeskFixture.now / 1000 + 3601)
        #expect(try outcome(fresh, after: 3601) == "403 ExpiredProviderToken")
        fixture.connection = APNsDesk.Connection(number: 2)
        #expect(try outcome(fresh, after: 3601) == "200")
    }

    @Test("A second change within twenty minutes is too many")
    mutating func changes() throws {
        let start = DeskFixture.now / 1000
        let tokens = try (0..<4).map { try fixture.bearer(iat: start + $0) }
        #expect(try outcome(tokens[0]) == "200")
        #expect(try outcome(tokens[1], after: 60) == "200")
        #expect(try outcome(tokens[2], after: 120) == "429 TooManyProviderTokenUpdates")
        #expect(try outcome(tokens[1], after: 121) == "200")
        #expect(try outcome(tokens[3], after: 1260) == "200")
    }

    @Test("A connection stays with the key of its first push")
    mutating func keys() throws {
        let second = try SigningKey.generate(.p256)
        let both = ["KEY0000001": fixture.key.verifyingKey, "KEY0000002": second.verifyingKey]
        fixture.desk = APNsDesk(
            keys: ProviderKeys(team: "TEAM000001", keys: both),
            checks: APNsChecks(topics: nil),
            trustedLimit: nil,
            capacity: 10
        )
        #expect(try outcome(try fixture.bearer()) == "200")
        let other = try fixture.bearer(kid: "KEY0000002", key: second)
        #expect(try outcome(other) == "403 UnrelatedKeyIdInToken")
        fixture.connection = APNsDesk.Connection(number: 2)
        #expect(try outcome(other) == "200")
    }
}
