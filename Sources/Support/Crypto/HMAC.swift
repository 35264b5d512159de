// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// HMAC with SHA-256 (RFC 2104).
public enum HMACSHA256 {
    /// The 32 bytes that prove `bytes` came from a holder of `key`; compare with ``ConstantTime/equal(_:_:)``.
    public static func code(for bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        // A null key means "the key of the call before", so an empty key still needs an address.
        let address = key.isEmpty ? [0] : key
        return [UInt8](unsafeUninitializedCapacity: 32) { out, count in
            let done = HMAC(
                Algorithm.sha256.pointer,
                address,
                Int32(key.count),
                bytes,
                bytes.count,
                out.baseAddress,
                nil
            )
            precondition(done != nil, "HMAC of memory fails only without memory")
            count = 32
        }
    }
}
