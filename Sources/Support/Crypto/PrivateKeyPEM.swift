// SPDX-License-Identifier: Apache-2.0

/// The one private key in a PEM file, however a person's editor or clipboard has treated the file.
///
/// Accepted beside the plain form: a byte order mark, CRLF, `\n` written as two characters, quotes around the whole,
/// the lines joined into one or indented. Anything that could be read in two ways is an error.
struct PrivateKeyPEM {
    private struct Block {
        let label: String
        let body: ArraySlice<UInt8>
    }

    private static let labels = ["PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY"]
    private static let maximum = 64 * 1024

    /// The key as DER.
    let der: [UInt8]

    init(_ file: [UInt8]) throws(CryptoError) {
        guard file.count <= Self.maximum else { throw CryptoError("the key file is larger than 64 KiB") }
        guard !file.contains(0) else {
            throw CryptoError("the key file is not text (or is UTF-16): it must be PEM in UTF-8, as Apple issues it")
        }
        let blocks = try Self.blocks(in: Self.unescaped(file)).filter { $0.label != "EC PARAMETERS" }
        guard let block = blocks.first else {
            throw CryptoError("the key file has no line '-----BEGIN PRIVATE KEY-----'")
        }
        guard blocks.count == 1 else { throw CryptoError("the key file holds \(blocks.count) PEM blocks, not one key") }
        der = try Self.decode(block)
    }

    /// Two characters `\n` or `\r` become a line end.
    private static func unescaped(_ file: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(file.count)
        for byte in file {
            let isEscape = byte == UInt8(ascii: "n") || byte == UInt8(ascii: "r")
            guard isEscape, text.last == UInt8(ascii: "\\") else { text.append(byte); continue }
            text.removeLast()
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }

    private static func blocks(in text: [UInt8]) throws(CryptoError) -> [Block] {
        var blocks: [Block] = []
        var rest = text[...]
        while let begin = rest.firstRange(of: Array("-----BEGIN ".utf8)) {
            guard let close = rest[begin.upperBound...].firstRange(of: Array("-----".utf8)),
                close.lowerBound - begin.upperBound <= 40
            else { throw CryptoError("the key file has a BEGIN line without its closing '-----'") }
            let label = String(decoding: rest[begin.upperBound..<close.lowerBound], as: UTF8.self)
            let shown = label.utf8.allSatisfy { $0 == 0x20 || (0x41...0x5a).contains($0) } ? label : "?"
            guard let end = rest[close.upperBound...].firstRange(of: Array("-----END \(label)-----".utf8)) else {
                throw CryptoError("the key file has no line '-----END \(shown)-----' after its BEGIN line")
            }
            blocks.append(Block(label: shown, body: rest[close.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return blocks
    }

    private static func decode(_ block: Block) throws(CryptoError) -> [UInt8] {
        guard block.label != "ENCRYPTED PRIVATE KEY", !block.body.contains(UInt8(ascii: ":")) else {
            throw CryptoError("the key is encrypted: remove its password first, for instance with 'openssl pkcs8'")
        }
        guard labels.contains(block.label) else {
            throw CryptoError("the key file holds a '\(block.label)', not a 'PRIVATE KEY'")
        }
        let digits = block.body.filter { $0 != 0x20 && !(0x09...0x0d).contains($0) }
        guard !digits.isEmpty else { throw CryptoError("there is nothing between the key's BEGIN and END lines") }
        guard let der = Base64.decode(digits) else {
            throw CryptoError("what is between the key's BEGIN and END lines is damaged: it is not whole base64")
        }
        return der
    }
}
