// SPDX-License-Identifier: Apache-2.0

import Crypto

/// What is used once, or counted, as a ledger keeps it: 128 bits of a hash, from which it cannot be read.
public struct HashedKey: Hashable, Sendable {
    /// The first 64 bits.
    public let high: UInt64
    /// The last 64 bits.
    public let low: UInt64

    /// Wraps what a ledger stored.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The key for these bytes.
    public init(_ bytes: [UInt8]) {
        let words = SHA256.hash(bytes).bytes.prefix(16).enumerated().reduce(into: [UInt64](repeating: 0, count: 2)) {
            $0[$1.offset / 8] = $0[$1.offset / 8] << 8 | UInt64($1.element)
        }
        self.init(high: words[0], low: words[1])
    }
}
