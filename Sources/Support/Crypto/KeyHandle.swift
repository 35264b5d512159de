// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// Owns an `EVP_PKEY`.
///
/// `@unchecked`: OpenSSL counts references atomically, and the key is not changed after it is made; each signature
/// and check has a context of its own.
final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(takingOwnership pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }

    /// The kind of key, `nil` for one that no algorithm here uses.
    var kind: KeyKind? {
        switch EVP_PKEY_get_base_id(pointer) {
        case EVP_PKEY_RSA: return .rsa
        case EVP_PKEY_EC: return curve == "prime256v1" ? .p256 : nil
        default: return nil
        }
    }

    private var curve: String {
        var name = [CChar](repeating: 0, count: 32)
        var length = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &length) == 1 else { return "" }
        return String(decoding: name.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// The kinds of key that are used here, each with its one signature algorithm.
public enum KeyKind: Sendable {
    /// Elliptic curve P-256, signing ES256.
    case p256
    /// RSA of 2048 bits or more, signing RS256.
    case rsa

    var words: String { self == .p256 ? "an EC key on P-256" : "an RSA key" }
}
