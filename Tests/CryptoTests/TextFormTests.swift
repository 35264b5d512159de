// SPDX-License-Identifier: Apache-2.0

import Crypto
import Testing

struct TextFormTests {
    @Test(
        "Base64 gives the examples of RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ]
    )
    func base64(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(plain.utf8))
        let bare = encoded.filter { $0 != "=" }
        #expect(Base64.encode(Array(plain.utf8), .url) == bare)
        #expect(Base64.decode(bare, .url) == Array(plain.utf8))
    }

    @Test("The alphabets differ in two characters")
    func alphabets() {
        #expect(Base64.encode([0xfb, 0xff]) == "+/8=")
        #expect(Base64.encode([0xfb, 0xff], .url) == "-_8")
        #expect(Base64.decode("+/8", .url) == nil)
        #expect(Base64.decode("-_8=") == nil)
    }

    @Test(
        "Damaged base64 is refused",
        arguments: ["Z", "Zg", "Zg=", "Zg===", "Zh==", "Z=g=", "Zm9v\n", "Zm 9", "=", "====", "Zm9vY", "Zм9v"]
    )
    func damaged(text: String) { #expect(Base64.decode(text) == nil) }

    @Test func hexReadsBothCasesAndNothingElse() {
        #expect(Hex.decode("00aBFf") == [0, 0xab, 0xff])
        #expect(Hex.encode([0, 0xab, 0xff] as [UInt8]) == "00abff")
        for bad in ["0", "0g", "0x00", " 00"] { #expect(Hex.decode(bad) == nil) }
    }

    @Test func everyByteSurvives() {
        let all = (0...255).map(UInt8.init)
        #expect(Hex.decode(Hex.encode(all)) == all)
        for length in 250...255 {
            let part = Array(all.prefix(length))
            #expect(Base64.decode(Base64.encode(part)) == part)
            #expect(Base64.decode(Base64.encode(part, .url), .url) == part)
        }
    }
}

struct UUIDTextTests {
    @Test func theFormIsCanonical() {
        #expect(UUIDText.make((0..<16).map { UInt8($0 * 17) }) == "00112233-4455-6677-8899-aabbccddeeff")
    }

    @Test("A derived UUID is the beginning of the hash, with version 8 and the variant")
    func derived() {
        let id = UUIDText.derived(from: 1, 2, 3)
        let input = [UInt64]([1, 2, 3]).flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        }
        let hash = SHA256.hash(input).hex
        #expect(id.prefix(13) == hash.prefix(8) + "-" + hash.dropFirst(8).prefix(4))
        #expect(Array(id)[14] == "8")
        #expect("89ab".contains(Array(id)[19]))
        #expect(id == UUIDText.derived(from: 1, 2, 3))
        #expect(id != UUIDText.derived(from: 1, 3, 2))
    }

    @Test func randomOnesDiffer() {
        #expect(UUIDText.random() != UUIDText.random())
        #expect(UUIDText.isCanonical(UUIDText.random()))
    }

    @Test(
        "Only 8-4-4-4-12 digits are canonical",
        arguments: [
            "", "00112233-4455-6677-8899-aabbccddeef", "00112233-4455-6677-8899-aabbccddeefg",
            "{00112233-4455-6677-8899-aabbccddeeff}", "00112233445566778899aabbccddeeff",
            "00112233-4455-6677-8899-aabbccddeeff-", "001122334-455-6677-8899-aabbccddeeff",
        ]
    )
    func foreign(text: String) { #expect(!UUIDText.isCanonical(text)) }
}
