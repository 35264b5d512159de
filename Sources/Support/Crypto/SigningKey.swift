// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// A private key that signs: EC P-256 (Apple's `.p8`) or RSA (a service account).
public final class SigningKey: Sendable {
    /// The kind of key.
    public let kind: KeyKind
    let handle: KeyHandle

    private init(_ handle: KeyHandle, _ kind: KeyKind) {
        self.handle = handle
        self.kind = kind
    }

    /// Reads a private key from the bytes of a PEM file, forgiving what editors and clipboards do to such files.
    ///
    /// - Throws: ``CryptoError``, one sentence without key material, for a file that is not one unencrypted private
    ///   key of the kind wanted.
    public convenience init(pem: [UInt8], kind wanted: KeyKind) throws(CryptoError) {
        let der = try PrivateKeyPEM(pem).der
        let parsed = der.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_AutoPrivateKey(nil, &cursor, buffer.count)
        }
        guard let parsed else { throw .openSSL("the key is damaged: its base64 is whole but does not hold a key") }
        let handle = KeyHandle(takingOwnership: parsed)
        guard handle.kind == wanted else { throw CryptoError("the key is not \(wanted.words), which is wanted here") }
        guard wanted == .p256 || EVP_PKEY_get_bits(parsed) >= 2048 else {
            throw CryptoError("the RSA key is shorter than 2048 bits")
        }
        self.init(handle, wanted)
    }

    /// Makes a new key.
    ///
    /// - Throws: ``CryptoError`` where OpenSSL refuses, which it does only without entropy or memory.
    public static func generate(_ kind: KeyKind) throws(CryptoError) -> SigningKey {
        let made = kind == .p256 ? busd_generate_p256() : busd_generate_rsa(2048)
        guard let made else { throw .openSSL("no key could be made") }
        return SigningKey(KeyHandle(takingOwnership: made), kind)
    }

    /// The key as PKCS#8 in PEM, which is what a `.p8` file holds; secret.
    ///
    /// - Throws: ``CryptoError`` where OpenSSL cannot write it.
    public func pem() throws(CryptoError) -> String {
        try PEM.write("the key") { PEM_write_bio_PKCS8PrivateKey($0, handle.pointer, nil, nil, 0, nil, nil) }
    }

    /// The public half.
    public var verifyingKey: VerifyingKey { VerifyingKey(handle, kind) }

    /// Signs with ES256 (the 64 bytes R‖S of RFC 7518 §3.4) or RS256.
    ///
    /// - Throws: ``CryptoError`` where OpenSSL refuses.
    public func sign(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw CryptoError("no memory to sign") }
        defer { EVP_MD_CTX_free(context) }
        var length = Int(EVP_PKEY_get_size(handle.pointer))
        var signature = [UInt8](repeating: 0, count: length)
        guard EVP_DigestSignInit(context, nil, Algorithm.sha256.pointer, nil, handle.pointer) == 1,
            EVP_DigestSign(context, &signature, &length, bytes, bytes.count) == 1
        else { throw .openSSL("the key does not sign") }
        signature.removeLast(signature.count - length)
        guard kind == .p256 else { return signature }
        guard let raw = ECDSASignature.raw(der: signature) else { throw .openSSL("the key does not sign") }
        return raw
    }
}
