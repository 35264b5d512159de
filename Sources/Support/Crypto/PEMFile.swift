// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// Certificates and a private key in one PEM file, in any order.
struct PEMFile {
    private static let mostCertificates = 64
    let content: CertificateFileContent

    init(_ file: [UInt8], password: String?) throws(ClientCertificate.ReadError) {
        var found = CertificateFileContent()
        found.certificates = Self.certificates(in: file)
        do throws(ClientCertificate.ReadError) {
            found.key = try Self.privateKey(in: file, password: password)
        } catch {
            found.free()
            throw error
        }
        content = found
    }

    /// The key, for the caller to free; `nil` where the file holds none.
    static func privateKey(in file: [UInt8], password: String?) throws(ClientCertificate.ReadError) -> OpaquePointer? {
        if let key = key(in: file, password ?? "") { return key }
        if file.firstRange(of: Array("PRIVATE KEY-----".utf8)) == nil { return nil }
        throw problem(file, password)
    }

    static func certificates(in file: [UInt8]) -> [OpaquePointer] {
        let bio = BIO_new_mem_buf(file, Int32(clamping: file.count))
        defer {
            BIO_free(bio)
            ERR_clear_error()
        }
        var found: [OpaquePointer] = []
        while found.count < mostCertificates, let next = PEM_read_bio_X509(bio, nil, { _, _, _, _ in -1 }, nil) {
            found.append(next)
        }
        return found
    }

    /// Without a callback OpenSSL takes the last argument for the password, and never asks on a terminal.
    private static func key(in file: [UInt8], _ password: String) -> OpaquePointer? {
        let bio = BIO_new_mem_buf(file, Int32(clamping: file.count))
        defer { BIO_free(bio) }
        var secret = Array(password.utf8CString)
        defer { OPENSSL_cleanse(&secret, secret.count) }
        return PEM_read_bio_PrivateKey(bio, nil, nil, &secret)
    }

    private static func problem(_ file: [UInt8], _ password: String?) -> ClientCertificate.ReadError {
        guard file.firstRange(of: Array("ENCRYPTED".utf8)) != nil else {
            return ClientCertificate.ReadError("holds a private key that is damaged")
        }
        guard password != nil else {
            return ClientCertificate.ReadError(
                "holds an encrypted private key and needs a password",
                isAboutPassword: true
            )
        }
        return ClientCertificate.ReadError("does not open with this password", isAboutPassword: true)
    }
}

/// A file of trusted certificates.
public enum CertificateBundle {
    /// What the PEM certificates in it say, as far as it can be read.
    public static func facts(in file: [UInt8]) -> [CertificateFacts] {
        let found = PEMFile.certificates(in: file)
        defer { found.forEach(X509_free) }
        return found.map { CertificateFacts($0) }
    }
}
