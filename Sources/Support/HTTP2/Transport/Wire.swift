// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import COpenSSL
internal import Glibc

/// A non-blocking socket, in clear or under TLS.
///
/// Owned by one loop's thread, which has SIGPIPE blocked.
final class Wire {
    enum Handshake { case done, wantsRead, wantsWrite, failed(HTTP2Failure) }
    enum Transfer { case bytes(Int), wouldBlock, ended(String) }

    let descriptor: Int32
    private let ssl: OpaquePointer?

    /// Takes over a connected (or connecting) socket that speaks in clear.
    init(takingOver descriptor: Int32) {
        self.descriptor = descriptor
        ssl = nil
    }

    /// Takes over a socket and makes it the client's end of TLS; the peer must prove that it is `host`.
    init?(takingOver descriptor: Int32, context: TLSContext, host: String) {
        self.descriptor = descriptor
        ssl = SSL_new(context.raw)
        guard let ssl, SSL_set_fd(ssl, descriptor) == 1, Self.expect(host, of: ssl) else { return nil }
        SSL_set_connect_state(ssl)
    }

    /// Takes over an accepted socket and makes it the server's end of TLS.
    init?(accepting descriptor: Int32, context: TLSContext) {
        self.descriptor = descriptor
        ssl = SSL_new(context.raw)
        guard let ssl, SSL_set_fd(ssl, descriptor) == 1 else { return nil }
        SSL_set_accept_state(ssl)
    }

    deinit {
        SSL_free(ssl)
        close(descriptor)
    }

    private static func expect(_ host: String, of ssl: OpaquePointer) -> Bool {
        let parameters = SSL_get0_param(ssl)
        X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        // An address is matched with the certificate's addresses, and is not sent as a server name (RFC 6066, 3).
        if X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1 { return true }
        ERR_clear_error()
        return SSL_set1_host(ssl, host) == 1 && busd_tls_set_server_name(ssl, host) == 1
    }

    /// Takes the handshake one step on.
    func shakeHands() -> Handshake {
        guard let ssl else { return .done }
        let result = SSL_do_handshake(ssl)
        if result == 1 {
            return isHTTP2(ssl) ? .done : .failed(HTTP2Failure(.tls, "the server offers no HTTP/2 (ALPN h2)"))
        }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .wantsRead
        case SSL_ERROR_WANT_WRITE: return .wantsWrite
        case SSL_ERROR_SYSCALL:
            let failure = errno
            ERR_clear_error()
            return .failed(
                HTTP2Failure(.connect, failure == 0 ? "closed during the TLS handshake" : Self.text(failure))
            )
        default: return .failed(HTTP2Failure(.tls, Self.refusal(ssl)))
        }
    }

    private static func refusal(_ ssl: OpaquePointer) -> String {
        let reason = TLSErrors.take()
        let verdict = SSL_get_verify_result(ssl)
        guard verdict != Int(X509_V_OK) else { return "TLS failed: \(reason)" }
        return "certificate verify failed: \(String(cString: X509_verify_cert_error_string(verdict)))"
    }

    private func isHTTP2(_ ssl: OpaquePointer) -> Bool {
        var chosen: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &chosen, &length)
        guard let chosen, length == 2 else { return false }
        return chosen[0] == 0x68 && chosen[1] == 0x32
    }

    /// Whether bytes wait inside TLS, of which epoll knows nothing.
    var hasPending: Bool { ssl.map { SSL_has_pending($0) == 1 } ?? false }

    /// The subject of the peer's verified certificate, as one line.
    var peerSubject: String? {
        guard let ssl, let certificate = SSL_get0_peer_certificate(ssl) else { return nil }
        guard let line = X509_NAME_oneline(X509_get_subject_name(certificate), nil, 0) else { return nil }
        defer { CRYPTO_free(line, #file, #line) }
        return String(cString: line)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        if let ssl { return outcome(SSL_read(ssl, buffer.baseAddress, Int32(buffer.count)), of: ssl) }
        return outcome(recv(descriptor, buffer.baseAddress, buffer.count, 0), atEnd: "closed by the peer")
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        if let ssl { return outcome(SSL_write(ssl, bytes.baseAddress, Int32(bytes.count)), of: ssl) }
        return outcome(send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)), atEnd: "closed")
    }

    private func outcome(_ count: Int, atEnd end: String) -> Transfer {
        if count > 0 { return .bytes(count) }
        if count == 0 { return .ended(end) }
        return errno == EAGAIN || errno == EINTR ? .wouldBlock : .ended(Self.text(errno))
    }

    private func outcome(_ count: Int32, of ssl: OpaquePointer) -> Transfer {
        if count > 0 { return .bytes(Int(count)) }
        switch SSL_get_error(ssl, count) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wouldBlock
        case SSL_ERROR_ZERO_RETURN: return .ended("closed by the peer")
        case SSL_ERROR_SYSCALL:
            let failure = errno
            ERR_clear_error()
            return .ended(failure == 0 ? "closed by the peer" : Self.text(failure))
        default: return .ended("TLS failed: \(TLSErrors.take())")
        }
    }

    static func text(_ failure: Int32) -> String {
        String(cString: strerror(failure)).lowercased()
    }
}
