// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// The public half of a ``SigningKey``.
public final class VerifyingKey: Sendable {
    /// The kind of key.
    public let kind: KeyKind
    private let handle: KeyHandle

    init(_ handle: KeyHandle, _ kind: KeyKind) {
        self.handle = handle
        self.kind = kind
    }

    /// Says whether `signature` is this key's signature of `bytes`.
    ///
    /// ES256 signatures count in both forms: R‖S (RFC 7518 §3.4) and DER, which Apple's own samples send.
    public func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        guard kind == .p256 else { return check(signature, bytes) }
        // 64 bytes can also be a (rare, short) DER signature, so the second form is tried where the first fails.
        if signature.count == 64, let der = ECDSASignature.der(raw: signature), check(der, bytes) { return true }
        return check(signature, bytes)
    }

    private func check(_ signature: [UInt8], _ bytes: [UInt8]) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        defer { ERR_clear_error() }
        return EVP_DigestVerifyInit(context, nil, Algorithm.sha256.pointer, nil, handle.pointer) == 1
            && EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
    }
}
