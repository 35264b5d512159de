// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/x509.h>

// Stacks are macros in OpenSSL, which Swift does not see.

static inline int busd_certificates_count(const STACK_OF(X509) *stack) {
    return stack ? sk_X509_num(stack) : 0;
}

static inline X509 *busd_certificates_at(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}

static inline void busd_certificates_free(STACK_OF(X509) *stack) {
    sk_X509_pop_free(stack, X509_free);
}
