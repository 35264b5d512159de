// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// SHA-1, for the password digest of WS-Security only: it is broken for anything else.
public enum SHA1 {
    /// The 20 bytes of the hash.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 20) { out, count in
            let done = EVP_Digest(bytes, bytes.count, out.baseAddress, nil, Algorithm.sha1.pointer, nil)
            precondition(done == 1, "SHA-1 of memory fails only without memory")
            count = 20
        }
    }
}
