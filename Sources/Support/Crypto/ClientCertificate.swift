// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// A certificate with its chain and private key, from the file a provider's console or a keychain exports.
public struct ClientCertificate: Sendable {
    /// Why a file cannot be used.
    public struct ReadError: Error, Sendable, Equatable, CustomStringConvertible {
        /// One sentence that goes on after the file's name: "is neither …"; holds nothing of the file.
        public let description: String
        /// Whether another password might help.
        public let isAboutPassword: Bool

        init(_ description: String, isAboutPassword: Bool = false) {
            ERR_clear_error()
            self.description = description
            self.isAboutPassword = isAboutPassword
        }
    }

    /// The certificate, then its chain, PEM.
    public let chain: String
    /// The private key as PKCS#8 without a password, PEM; secret.
    public let privateKey: String
    /// What the certificate says.
    public let facts: CertificateFacts

    /// Reads PKCS#12 (`.p12`, `.pfx`; also with the RC2 and 3DES ciphers that keychains still use) or PEM.
    ///
    /// - Throws: ``ReadError`` for a damaged file, a wrong password, no key, no certificate, or two that do not match.
    public init(file: [UInt8], password: String?) throws(ReadError) {
        let isPEM = file.firstRange(of: Array("-----BEGIN ".utf8)) != nil
        let content = isPEM ? try PEMFile(file, password: password).content : try PKCS12File.open(file, password)
        defer { content.free() }
        guard let key = content.key else { throw ReadError("holds no private key") }
        guard !content.certificates.isEmpty else { throw ReadError("holds no certificate") }
        guard let leaf = content.certificates.first(where: { X509_check_private_key($0, key) == 1 }) else {
            throw ReadError("holds a private key that belongs to none of its certificates")
        }
        do throws(CryptoError) {
            let ordered = [leaf] + content.certificates.filter { $0 != leaf }
            var text = ""
            for each in ordered { text += try PEM.write("the certificate") { PEM_write_bio_X509($0, each) } }
            chain = text
            privateKey = try PEM.write("the key") { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
        } catch {
            throw ReadError("cannot be used: \(error.description)")
        }
        facts = CertificateFacts(leaf)
    }
}

/// What a file held, in OpenSSL's memory, freed by whoever asked for it.
struct CertificateFileContent {
    var key: OpaquePointer?
    var certificates: [OpaquePointer] = []

    func free() {
        EVP_PKEY_free(key)
        certificates.forEach(X509_free)
        // A failed comparison of key and certificate leaves an error that a later call would take for its own.
        ERR_clear_error()
    }
}
