// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// Random bytes that nobody can guess.
public enum SecureRandom {
    /// Returns `count` bytes from OpenSSL's generator; traps where the system has no entropy, as nothing is safe then.
    public static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { out, filled in
            let done = RAND_bytes(out.baseAddress, Int32(count))
            precondition(done == 1, "the system has no entropy")
            filled = count
        }
    }

    /// Returns a random integer.
    public static func integer() -> UInt64 {
        bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
