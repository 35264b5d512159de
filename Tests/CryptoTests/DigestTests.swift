// SPDX-License-Identifier: Apache-2.0

import Crypto
import Testing

struct DigestTests {
    @Test(
        "SHA-256 gives the examples of FIPS 180",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
    )
    func sha256(text: String, hex: String) {
        let digest = SHA256.hash(text)
        #expect(digest.hex == hex)
        #expect(Hex.encode(digest.bytes) == hex)
        #expect(digest == SHA256.hash(Array(text.utf8)))
    }

    @Test("SHA-1 makes the password digest that WS-Security clients send")
    func passwordDigest() {
        let parts = [Array("abc".utf8), Array("2026-11-30T00:07:57+00:00".utf8), Array("pass".utf8)]
        #expect(Base64.encode(SHA1.hash(Array(parts.joined()))) == "tvz0EJU5AtIE0K2JgZ+pCllgDD8=")
    }

    @Test(
        "HMAC gives the examples of RFC 4231",
        arguments: [
            (
                [UInt8](repeating: 0x0b, count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            ([], "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
        ]
    )
    func hmac(key: [UInt8], text: String, hex: String) {
        #expect(Hex.encode(HMACSHA256.code(for: Array(text.utf8), key: key)) == hex)
    }

    @Test("An empty key is not the key of the call before")
    func emptyKeyStandsAlone() {
        let empty = HMACSHA256.code(for: [1], key: [])
        _ = HMACSHA256.code(for: [1], key: [9, 9])
        #expect(HMACSHA256.code(for: [1], key: []) == empty)
    }

    @Test func constantTimeComparisonComparesAll() {
        #expect(ConstantTime.equal("secret", "secret"))
        #expect(!ConstantTime.equal("secret", "secreT"))
        #expect(!ConstantTime.equal("secret", "secre"))
        #expect(ConstantTime.equal([UInt8](), []))
    }

    @Test func randomBytesDiffer() {
        #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
        #expect(SecureRandom.bytes(0).isEmpty)
    }
}
