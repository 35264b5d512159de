// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// OpenSSL spells these as macros, which Swift does not see.

/// TLS 1.2 or newer, partial writes from a buffer that may move, and reads of many records at once.
static inline int busd_tls_prepare(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    // Renegotiation would make a write wait for a read; HTTP/2 forbids it (RFC 9113, 9.2.1).
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_default_read_buffer_len(context, 65536);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

static inline int busd_tls_set_server_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}

/// Adds a certificate of the chain; the context takes it over where the result is 1.
static inline int busd_tls_add_chain(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add0_chain_cert(context, certificate);
}

/// Chooses `h2`, or ends the handshake: a peer that cannot speak it has no business here.
static inline int busd_tls_select_h2(SSL *ssl, const unsigned char **out, unsigned char *length,
                                     const unsigned char *offered, unsigned int offered_length, void *context) {
    (void)ssl;
    (void)context;
    static const unsigned char wanted[] = {2, 'h', '2'};
    unsigned char *chosen = NULL;
    if (SSL_select_next_proto(&chosen, length, wanted, sizeof wanted, offered, offered_length) !=
        OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    *out = chosen;
    return SSL_TLSEXT_ERR_OK;
}

static inline void busd_tls_accept_h2(SSL_CTX *context) {
    SSL_CTX_set_alpn_select_cb(context, busd_tls_select_h2, NULL);
}
