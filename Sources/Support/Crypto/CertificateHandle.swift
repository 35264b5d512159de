// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// Owns an `X509`.
///
/// `@unchecked`: the certificate is not changed once ``init(_:key:issuer:by:)`` has returned.
final class CertificateHandle: @unchecked Sendable {
    private let pointer: OpaquePointer

    deinit { X509_free(pointer) }

    /// Makes and signs a certificate; without an issuer it is its own.
    init(
        _ request: CertificateRequest,
        key: SigningKey,
        issuer: CertificateHandle?,
        by signer: SigningKey
    ) throws(CryptoError) {
        guard let made = X509_new() else { throw CryptoError("no memory for a certificate") }
        pointer = made
        guard X509_set_version(made, 2) == 1, setSerial(), setValidity(days: request.days),
            setName(request.name), X509_set_pubkey(made, key.handle.pointer) == 1,
            X509_set_issuer_name(made, X509_get_subject_name((issuer ?? self).pointer)) == 1
        else { throw .openSSL("the certificate could not be made") }
        for item in try request.extensions() {
            guard add(item.name, item.value, issuer: issuer ?? self) else {
                throw .openSSL("the certificate's \(item.name) could not be set")
            }
        }
        guard X509_sign(made, signer.handle.pointer, Algorithm.sha256.pointer) > 0 else {
            throw .openSSL("the certificate could not be signed")
        }
    }

    func pem() throws(CryptoError) -> String { try PEM.write("the certificate") { PEM_write_bio_X509($0, pointer) } }

    private func setSerial() -> Bool {
        // At most 63 bits: a serial number must be positive.
        ASN1_INTEGER_set_uint64(X509_get_serialNumber(pointer), SecureRandom.integer() >> 1) == 1
    }

    private func setValidity(days: Int) -> Bool {
        let start = min(0, days - 1) * 86400
        return X509_gmtime_adj(X509_getm_notBefore(pointer), start - 3600) != nil
            && X509_gmtime_adj(X509_getm_notAfter(pointer), days * 86400) != nil
    }

    private func setName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        let subject = X509_get_subject_name(pointer)
        return X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, bytes, Int32(bytes.count), -1, 0) == 1
    }

    private func add(_ name: String, _ value: String, issuer: CertificateHandle) -> Bool {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer.pointer, pointer, nil, nil, 0)
        guard let made = X509V3_EXT_conf(nil, &context, name, value) else { return false }
        defer { X509_EXTENSION_free(made) }
        return X509_add_ext(pointer, made, -1) == 1
    }
}
