// SPDX-License-Identifier: Apache-2.0

import Bus
import CGnuTLS
import CMicroHTTPD

/// The far end of a TLS connection: its certificate is verified once, with the first request.
///
/// On libmicrohttpd's thread alone.
enum TLSClient {
    /// Who called; plain for a connection without TLS.
    static func peer(of connection: OpaquePointer) -> HTTPPeer {
        guard let session = busd_mhd_tls_session(connection), let client = Connection.of(connection) else {
            return HTTPPeer()
        }
        if let peer = client.peer { return peer }
        let peer = HTTPPeer(isTLS: true, certificateSubject: verifiedSubject(OpaquePointer(session)))
        client.peer = peer
        return peer
    }

    /// The subject of a certificate that was given, verified, and found good for a client.
    private static func verifiedSubject(_ session: OpaquePointer) -> String? {
        var count: UInt32 = 0
        guard let chain = gnutls_certificate_get_peers(session, &count), count > 0, isVerified(session) else {
            return nil
        }
        return subject(chain.pointee)
    }

    private static func isVerified(_ session: OpaquePointer) -> Bool {
        var purpose = Array(GNUTLS_KP_TLS_WWW_CLIENT.utf8CString).map(UInt8.init(bitPattern:))
        return purpose.withUnsafeMutableBufferPointer { purpose in
            var wanted = gnutls_typed_vdata_st(type: GNUTLS_DT_KEY_PURPOSE_OID, data: purpose.baseAddress, size: 0)
            var status: UInt32 = .max
            // 0 only says that verification ran, also for a stranger's certificate; the status says what it found.
            let result = gnutls_certificate_verify_peers(session, &wanted, 1, &status)
            return result == 0 && status == 0
        }
    }

    private static func subject(_ der: gnutls_datum_t) -> String? {
        var certificate: gnutls_x509_crt_t?
        guard gnutls_x509_crt_init(&certificate) == 0, let certificate else { return nil }
        defer { gnutls_x509_crt_deinit(certificate) }
        var der = der
        guard gnutls_x509_crt_import(certificate, &der, GNUTLS_X509_FMT_DER) == 0 else { return nil }
        var name = [CChar](repeating: 0, count: 512)
        var size = name.count
        var result = gnutls_x509_crt_get_dn(certificate, &name, &size)
        if result == GNUTLS_E_SHORT_MEMORY_BUFFER {
            name = [CChar](repeating: 0, count: size)
            result = gnutls_x509_crt_get_dn(certificate, &name, &size)
        }
        if result == GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE { return "" }
        guard result == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
