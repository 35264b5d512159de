// SPDX-License-Identifier: Apache-2.0

import Crypto
import Testing

struct JWTTests {
    /// The private key of RFC 7515, appendix A.3, as PKCS#8.
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjpsQnnGQmL+YBIff
        H1136cspYG6+0iY7X1fCE9+E9LKhRANCAAR/zc4ncPbEXUGDy+5v20t7WAczNXvp
        7xO6z248e9FURcfxRM0bvZt+hyzf7bnuufSzaV1uqQskrYpGIyiFiOWt
        -----END PRIVATE KEY-----
        """

    /// The token of RFC 7515, appendix A.3.
    private static let token =
        "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0"
        + "cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

    @Test("The example of RFC 7515 is confirmed, and no changed one")
    func example() throws {
        let key = try SigningKey(pem: Array(Self.key.utf8), kind: .p256).verifyingKey
        let token = try #require(SignedToken(Self.token))
        #expect(token.isSigned(by: key))
        #expect(String(decoding: token.header, as: UTF8.self) == #"{"alg":"ES256"}"#)
        let changed = try #require(SignedToken(Self.token.replacing("eyJpc3MiOiJqb2Ui", with: "eyJpc3MiOiJqb2Uj")))
        #expect(!changed.isSigned(by: key))
    }

    @Test("A token says what it was given, escaped")
    func content() throws {
        let key = try SigningKey.generate(.p256)
        let text = try JWT.sign(
            header: ["kid": .string("AB\"C")],
            claims: ["iss": .string("a\\\n\u{1}é"), "iat": .integer(-5)],
            key: key
        )
        let token = try #require(SignedToken(text))
        #expect(String(decoding: token.header, as: UTF8.self) == #"{"alg":"ES256","kid":"AB\"C"}"#)
        #expect(String(decoding: token.claims, as: UTF8.self) == #"{"iss":"a\\\u000a\u0001é","iat":-5}"#)
        #expect(token.isSigned(by: key.verifyingKey))
    }

    @Test func rsaSignsWithItsOwnAlgorithm() throws {
        let key = try SigningKey.generate(.rsa)
        let token = try #require(SignedToken(try JWT.sign(header: [:], claims: ["iss": .string("x")], key: key)))
        #expect(String(decoding: token.header, as: UTF8.self) == #"{"alg":"RS256"}"#)
        #expect(token.isSigned(by: key.verifyingKey))
        #expect(!token.isSigned(by: try SigningKey.generate(.p256).verifyingKey))
    }

    @Test("A signature in DER counts, as in Apple's samples")
    func derSignature() throws {
        let key = try SigningKey(pem: Array(Self.key.utf8), kind: .p256).verifyingKey
        let dot = try #require(Self.token.lastIndex(of: "."))
        let raw = try #require(Base64.decode(String(Self.token[dot...].dropFirst()), .url))
        func number(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            let body = bytes[bytes.startIndex] >= 0x80 ? [0] + bytes : Array(bytes)
            return [2, UInt8(body.count)] + body
        }
        let numbers = number(raw[..<32]) + number(raw[32...])
        let der = [0x30, UInt8(numbers.count)] + numbers
        let token = try #require(SignedToken("\(Self.token[..<dot]).\(Base64.encode(der, .url))"))
        #expect(token.isSigned(by: key))
    }

    @Test(
        "What is no compact token is refused",
        arguments: ["", ".", "..", "a.b", "e30.e30.e30.e30", "e30=.e30.e30", "e30.e30.*", "é.e30.e30"]
    )
    func foreign(text: String) {
        #expect(SignedToken(text) == nil || text == "..")
    }
}
