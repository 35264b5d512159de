// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Glibc

/// A certificate and its private key, both PEM.
public struct Identity: Sendable {
    /// The certificate.
    public let certificate: String
    /// The private key as PKCS#8; secret.
    public let privateKey: String
}

/// A certificate authority of our own, for stand-ins and tests: nobody outside trusts it.
public final class CertificateAuthority: Sendable {
    /// The authority's own certificate, PEM.
    public let certificate: String
    private let issuer: CertificateHandle
    private let key: SigningKey

    /// Makes an authority with a new key, valid for ten years.
    ///
    /// - Throws: ``CryptoError`` where OpenSSL refuses.
    public init(name: String) throws(CryptoError) {
        key = try SigningKey.generate(.p256)
        issuer = try CertificateHandle(
            CertificateRequest(name: name, purpose: .authority),
            key: key,
            issuer: nil,
            by: key
        )
        certificate = try issuer.pem()
    }

    /// Issues a server's certificate for DNS names and IP addresses, the first of which becomes the common name.
    ///
    /// It is valid for `days` from now; a negative number makes one that has expired.
    ///
    /// - Throws: ``CryptoError`` for a name that is neither, or where OpenSSL refuses.
    public func server(_ names: [String], days: Int = 365) throws(CryptoError) -> Identity {
        try issue(CertificateRequest(name: names.first ?? "", purpose: .server(names), days: days))
    }

    /// Issues a client's certificate.
    ///
    /// It is valid for `days` from now; a negative number makes one that has expired.
    ///
    /// - Throws: ``CryptoError`` where OpenSSL refuses.
    public func client(name: String, days: Int = 365) throws(CryptoError) -> Identity {
        try issue(CertificateRequest(name: name, purpose: .client, days: days))
    }

    private func issue(_ request: CertificateRequest) throws(CryptoError) -> Identity {
        let own = try SigningKey.generate(.p256)
        let made = try CertificateHandle(request, key: own, issuer: issuer, by: key)
        return Identity(certificate: try made.pem(), privateKey: try own.pem())
    }
}
