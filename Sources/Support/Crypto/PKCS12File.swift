// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// Reads PKCS#12 (RFC 7292).
enum PKCS12File {
    /// OpenSSL with its retired ciphers: keychains encrypt exports with RC2-40 and 3DES to this day.
    ///
    /// A library context of its own, so that nothing else in the process can use them; it lives as long as the process.
    /// `@unchecked`: contexts are made for use by several threads.
    private struct Library: @unchecked Sendable {
        let context: OpaquePointer?

        init() {
            context = OSSL_LIB_CTX_new()
            _ = OSSL_PROVIDER_load(context, "default")
            // Not every system installs it: then modern files still open, and old ones say why they do not.
            _ = OSSL_PROVIDER_load(context, "legacy")
            ERR_clear_error()
        }
    }

    private static let library = Library()

    static func open(_ file: [UInt8], _ password: String?) throws(ClientCertificate.ReadError) -> CertificateFileContent
    {
        let previous = OSSL_LIB_CTX_set0_default(library.context)
        defer { _ = OSSL_LIB_CTX_set0_default(previous) }
        let parsed = file.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_PKCS12(nil, &cursor, buffer.count)
        }
        guard let parsed else {
            throw ClientCertificate.ReadError("is neither PKCS#12 nor PEM, or is damaged")
        }
        defer { PKCS12_free(parsed) }
        let secret = password ?? ""
        guard PKCS12_mac_present(parsed) == 1 else {
            throw ClientCertificate.ReadError(
                "has no integrity check (MAC), so that nobody can say whether it is whole; export it again with one"
            )
        }
        ERR_clear_error()
        guard opens(parsed, secret) else {
            // A password that does not fit is no error for OpenSSL, a check that it cannot make is one.
            if ERR_peek_last_error() != 0 {
                throw ClientCertificate.ReadError(
                    "has an integrity check (MAC) that this OpenSSL does not know; export it again with SHA-256"
                )
            }
            let isMissing = password == nil
            throw ClientCertificate.ReadError(
                isMissing ? "needs a password" : "does not open with this password",
                isAboutPassword: true
            )
        }
        return try content(parsed, secret)
    }

    /// No password and an empty one are different keys in PKCS#12, and exporters disagree which they mean.
    private static func opens(_ file: OpaquePointer, _ password: String) -> Bool {
        if PKCS12_verify_mac(file, password, Int32(password.utf8.count)) == 1 { return true }
        return password.isEmpty && PKCS12_verify_mac(file, nil, 0) == 1
    }

    /// Why a file whose password is right could not be read.
    private static func problem() -> String {
        let reason = ERR_reason_error_string(ERR_peek_error()).map { String(cString: $0) } ?? "no reason is known"
        return reason.contains("unsupported") || reason.contains("unknown")
            ? "cannot be decrypted: its cipher is not available in this OpenSSL"
            : "is damaged: \(reason)"
    }

    private static func content(
        _ file: OpaquePointer,
        _ password: String
    ) throws(ClientCertificate.ReadError) -> CertificateFileContent {
        var found = CertificateFileContent()
        var leaf: OpaquePointer?
        var chain: OpaquePointer?
        guard PKCS12_parse(file, password, &found.key, &leaf, &chain) == 1 else {
            throw ClientCertificate.ReadError(problem())
        }
        if let leaf { found.certificates.append(leaf) }
        for index in 0..<busd_certificates_count(chain) {
            guard let link = busd_certificates_at(chain, index), X509_up_ref(link) == 1 else { continue }
            found.certificates.append(link)
        }
        busd_certificates_free(chain)
        return found
    }
}
