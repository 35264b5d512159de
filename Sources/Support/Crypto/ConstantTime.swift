// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// Comparison whose time tells nothing about where two secrets differ.
public enum ConstantTime {
    /// Says whether the bytes are the same; only the lengths can be learnt from the time it takes.
    public static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }

    /// Says whether two texts have the same UTF-8.
    public static func equal(_ left: String, _ right: String) -> Bool {
        equal(Array(left.utf8), Array(right.utf8))
    }
}
