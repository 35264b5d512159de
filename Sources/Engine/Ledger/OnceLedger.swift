// SPDX-License-Identifier: Apache-2.0

public import Bus
import Crypto

/// What may be used once, whoever brings it, over restarts and on every node.
public protocol OnceLedger: AnyObject, Sendable {
    /// Takes a key, unless it was taken before and not forgotten since.
    ///
    /// Two answers, for nobody shall wait for the disk before he knows: `verdict` says whether the key is new, and is
    /// final; where it is, `kept` completes when that is committed and synced. Where `kept` fails, the key is free
    /// again. All that is written after the verdict came is committed with the key or after it.
    ///
    /// - Parameters:
    ///   - key: what is used once.
    ///   - until: when it may be forgotten. A ledger measures the time until then by a clock that nobody sets, and
    ///     keeps it for a day at most.
    ///   - verdict: hears whether the key is new.
    ///   - kept: hears that it is on disk; only where it is new.
    func once(
        _ key: OnceKey,
        until: WallTime,
        verdict: @escaping Completion<Bool>,
        kept: @escaping Completion<Void>
    )
}

/// What is used once, as a ledger keeps it: 128 bits of a hash, from which it cannot be read.
public struct OnceKey: Hashable, Sendable {
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
