// SPDX-License-Identifier: Apache-2.0

import Crypto
import Testing

struct SigningKeyTests {
    private let key: SigningKey
    private let pem: String

    init() throws {
        key = try SigningKey.generate(.p256)
        pem = try key.pem()
    }

    private func reads(_ bytes: [UInt8]) throws {
        let read = try SigningKey(pem: bytes, kind: .p256)
        #expect(key.verifyingKey.verifies(try read.sign([1, 2, 3]), of: [1, 2, 3]))
    }

    @Test("What editors and clipboards do to a key file is forgiven")
    func forgiving() throws {
        let lines = pem.split(separator: "\n").map(String.init)
        try reads(Array(pem.utf8))
        try reads([0xef, 0xbb, 0xbf] + Array(pem.utf8))
        try reads(Array(lines.joined(separator: "\r\n").utf8))
        try reads(Array(lines.joined(separator: "\\n").utf8))
        try reads(Array(lines.joined(separator: "\\r\\n").utf8))
        try reads(Array(lines.joined(separator: " ").utf8))
        try reads(Array(lines.joined().utf8))
        try reads(Array("  \"\(lines.joined(separator: "\\n"))\\n\"\n".utf8))
        try reads(Array(("Bag Attributes: none\n" + lines.map { "    " + $0 }.joined(separator: "\n")).utf8))
    }

    @Test("Each damaged file has its one sentence")
    func damaged() throws {
        let lines = pem.split(separator: "\n").map(String.init)
        let rsa = try SigningKey.generate(.rsa).pem()
        let certificate = try CertificateAuthority(name: "test").certificate
        let cases: [(String, String)] = [
            ("", "the key file has no line '-----BEGIN PRIVATE KEY-----'"),
            (lines[1] + lines[2], "the key file has no line '-----BEGIN PRIVATE KEY-----'"),
            (
                lines.dropLast().joined(separator: "\n"),
                "the key file has no line '-----END PRIVATE KEY-----' after its BEGIN line"
            ),
            (pem + pem, "the key file holds 2 PEM blocks, not one key"),
            (certificate, "the key file holds a 'CERTIFICATE', not a 'PRIVATE KEY'"),
            (
                pem.replacing("PRIVATE", with: "ENCRYPTED PRIVATE"),
                "the key is encrypted: remove its password first, for instance with 'openssl pkcs8'"
            ),
            (
                [lines[0], lines[1], lines[lines.count - 1]].joined(separator: "\n"),
                "the key is damaged: its base64 is whole but does not hold a key"
            ),
            (
                pem.replacing(lines[1], with: "*" + lines[1].dropFirst()),
                "what is between the key's BEGIN and END lines is damaged: it is not whole base64"
            ),
            (pem + "\0", "the key file is not text (or is UTF-16): it must be PEM in UTF-8, as Apple issues it"),
            (rsa, "the key is not an EC key on P-256, which is wanted here"),
            (
                "-----BEGIN PRIVATE KEY----------END PRIVATE KEY-----",
                "there is nothing between the key's BEGIN and END lines"
            ),
        ]
        for (file, sentence) in cases {
            let error = #expect(throws: CryptoError.self) { try SigningKey(pem: Array(file.utf8), kind: .p256) }
            #expect(error?.description == sentence)
        }
    }

    @Test("No error quotes the key")
    func silent() throws {
        let body = pem.split(separator: "\n")[1]
        for cut in stride(from: 0, to: pem.utf8.count, by: 3) {
            let file = Array(pem.utf8.prefix(cut)) + Array(" -----END PRIVATE KEY-----".utf8)
            do { _ = try SigningKey(pem: file, kind: .p256) } catch {
                #expect(!error.description.contains(body.prefix(6)))
            }
        }
    }

    @Test("Other encodings of keys are read too")
    func otherForms() throws {
        let rsa = try SigningKey.generate(.rsa)
        let read = try SigningKey(pem: Array(try rsa.pem().utf8), kind: .rsa)
        #expect(rsa.verifyingKey.verifies(try read.sign([7]), of: [7]))
    }

    @Test("A signature holds for its bytes and its key only")
    func signatures() throws {
        for kind in [KeyKind.p256, .rsa] {
            let key = try SigningKey.generate(kind)
            let signature = try key.sign([1, 2, 3])
            #expect(signature.count == (kind == .p256 ? 64 : 256))
            #expect(key.verifyingKey.verifies(signature, of: [1, 2, 3]))
            #expect(!key.verifyingKey.verifies(signature, of: [1, 2, 4]))
            #expect(!(try SigningKey.generate(kind)).verifyingKey.verifies(signature, of: [1, 2, 3]))
            var bent = signature
            bent[10] ^= 1
            #expect(!key.verifyingKey.verifies(bent, of: [1, 2, 3]))
            #expect(!key.verifyingKey.verifies([], of: [1, 2, 3]))
            #expect(!key.verifyingKey.verifies([UInt8](repeating: 0, count: 64), of: [1, 2, 3]))
        }
    }
}
