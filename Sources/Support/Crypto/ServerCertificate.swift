// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// A certificate with its chain, and its private key, from two PEM files.
public struct ServerCertificate: Sendable {
    /// Why the files cannot be used.
    public struct ReadError: Error, Sendable, Equatable, CustomStringConvertible {
        /// One sentence that goes on after the file's name: "holds no …"; holds nothing of the file.
        public let description: String
        /// Whether the key's file is at fault, not the certificate's.
        public let isAboutKey: Bool
    }

    /// The certificate, then its chain, PEM.
    public let chain: String
    /// The private key as PKCS#8 without a password, PEM; secret.
    public let privateKey: String
    /// What the certificate says.
    public let facts: CertificateFacts

    /// Reads both files, each of which may hold more than its part.
    ///
    /// - Throws: ``ReadError`` for a damaged file, an encrypted key, or two that do not match.
    public init(certificate: [UInt8], key: [UInt8]) throws(ReadError) {
        var content = CertificateFileContent()
        defer { content.free() }
        content.certificates = PEMFile.certificates(in: certificate)
        guard !content.certificates.isEmpty else {
            throw ReadError(description: "holds no PEM certificate", isAboutKey: false)
        }
        content.key = try Self.key(in: key)
        guard let leaf = content.certificates.first(where: { X509_check_private_key($0, content.key) == 1 }) else {
            throw ReadError(description: "does not belong to the certificate", isAboutKey: true)
        }
        do throws(CryptoError) {
            var text = ""
            for each in [leaf] + content.certificates.filter({ $0 != leaf }) {
                text += try PEM.write("the certificate") { PEM_write_bio_X509($0, each) }
            }
            chain = text
            privateKey = try PEM.write("the key") {
                PEM_write_bio_PKCS8PrivateKey($0, content.key, nil, nil, 0, nil, nil)
            }
        } catch {
            throw ReadError(description: "cannot be used: \(error.description)", isAboutKey: false)
        }
        facts = CertificateFacts(leaf)
    }

    private static func key(in file: [UInt8]) throws(ReadError) -> OpaquePointer {
        do throws(ClientCertificate.ReadError) {
            if let key = try PEMFile.privateKey(in: file, password: nil) { return key }
        } catch {
            throw ReadError(description: error.description, isAboutKey: true)
        }
        throw ReadError(description: "holds no private key in PEM", isAboutKey: true)
    }
}
