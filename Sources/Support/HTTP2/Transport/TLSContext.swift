// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// An `SSL_CTX`: certificates, trust and ALPN, shared by the connections of one pool or server.
///
/// `@unchecked`: configured in `init`; OpenSSL allows several threads to make connections from one context.
final class TLSContext: @unchecked Sendable {
    let raw: OpaquePointer

    /// A context that trusts the system's roots and the extra ones, and shows a certificate if it has one.
    init(client tls: HTTP2ClientTLS) throws(HTTP2Failure) {
        raw = try Self.make(TLS_client_method())
        SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nil)
        try Self.require(SSL_CTX_set_default_verify_paths(raw) == 1, "the system's roots cannot be read")
        try Self.trust(tls.extraRoots, in: raw)
        try Self.present(certificate: tls.certificate, key: tls.key, in: raw)
        let offered: [UInt8] = [2, 0x68, 0x32]
        try Self.require(SSL_CTX_set_alpn_protos(raw, offered, 3) == 0, "ALPN cannot be set")
        // AES-128 first: the cheaper of two strong ciphers, and the client's order usually wins.
        let suites = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
        try Self.require(SSL_CTX_set_ciphersuites(raw, suites) == 1, "the cipher list is not accepted")
    }

    /// A context that shows a certificate, and asks for one where client roots are given.
    init(server tls: HTTP2ServerTLS) throws(HTTP2Failure) {
        raw = try Self.make(TLS_server_method())
        try Self.present(certificate: tls.certificate, key: tls.key, in: raw)
        if !tls.clientRoots.isEmpty {
            try Self.trust(tls.clientRoots, in: raw)
            SSL_CTX_set_verify(raw, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        }
        if tls.offersHTTP2 { busd_tls_accept_h2(raw) }
    }

    deinit { SSL_CTX_free(raw) }

    private static func make(_ method: OpaquePointer?) throws(HTTP2Failure) -> OpaquePointer {
        guard let raw = SSL_CTX_new(method), busd_tls_prepare(raw) == 1 else {
            throw HTTP2Failure(.tls, "OpenSSL refused a context: \(TLSErrors.take())")
        }
        return raw
    }

    private static func require(_ isFine: Bool, _ sentence: String) throws(HTTP2Failure) {
        guard !isFine else { return }
        throw HTTP2Failure(.tls, "\(sentence): \(TLSErrors.take())")
    }

    private static func trust(_ pem: [UInt8], in raw: OpaquePointer) throws(HTTP2Failure) {
        guard !pem.isEmpty else { return }
        let roots = certificates(pem)
        defer { roots.forEach(X509_free) }
        try require(!roots.isEmpty, "the file of trusted roots holds no PEM certificate")
        let store = SSL_CTX_get_cert_store(raw)
        for root in roots {
            try require(X509_STORE_add_cert(store, root) == 1, "a trusted root is not accepted")
        }
    }

    private static func present(
        certificate: [UInt8],
        key: [UInt8],
        in raw: OpaquePointer
    ) throws(HTTP2Failure) {
        guard !certificate.isEmpty else { return }
        var chain = certificates(certificate)
        try require(!chain.isEmpty, "the certificate is not PEM")
        let leaf = chain.removeFirst()
        defer { X509_free(leaf) }
        let isUsed = SSL_CTX_use_certificate(raw, leaf) == 1
        // A certificate that the context took over is not ours to free.
        for link in chain where !isUsed || busd_tls_add_chain(raw, link) != 1 { X509_free(link) }
        try require(isUsed, "the certificate is not accepted")
        let secret = privateKey(key)
        defer { EVP_PKEY_free(secret) }
        try require(secret != nil, "the key is not an unencrypted PEM key")
        try require(SSL_CTX_use_PrivateKey(raw, secret) == 1, "the key does not belong to the certificate")
    }

    /// The password callback refuses: without it OpenSSL would ask on the terminal.
    private static func certificates(_ pem: [UInt8]) -> [OpaquePointer] {
        let bio = BIO_new_mem_buf(pem, Int32(clamping: pem.count))
        defer {
            BIO_free(bio)
            // The end of the file counts as an error; it must not be taken for a later call's.
            ERR_clear_error()
        }
        var found: [OpaquePointer] = []
        while found.count < 1024, let next = PEM_read_bio_X509(bio, nil, { _, _, _, _ in -1 }, nil) {
            found.append(next)
        }
        return found
    }

    private static func privateKey(_ pem: [UInt8]) -> OpaquePointer? {
        let bio = BIO_new_mem_buf(pem, Int32(clamping: pem.count))
        defer { BIO_free(bio) }
        return PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
    }
}

/// OpenSSL's error queue of the calling thread.
enum TLSErrors {
    /// Empties the queue; returns the reason of the first error in it, which is the cause of the others.
    static func take() -> String {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let reason = ERR_reason_error_string(code) else { return "no reason given" }
        return String(cString: reason)
    }
}
