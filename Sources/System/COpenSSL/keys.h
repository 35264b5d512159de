// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

/// A new EC key on P-256; the generic call is variadic in C.
static inline EVP_PKEY *busd_generate_p256(void) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
}

/// A new RSA key.
static inline EVP_PKEY *busd_generate_rsa(size_t bits) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "RSA", bits);
}

/// What was written to a memory BIO; valid as long as the BIO is.
static inline long busd_bio_content(BIO *bio, char **content) {
    return BIO_get_mem_data(bio, content);
}
