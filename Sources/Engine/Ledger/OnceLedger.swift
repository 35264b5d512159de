// SPDX-License-Identifier: Apache-2.0

public import Bus

/// What may be used once, whoever brings it, over restarts and on every node.
public protocol OnceLedger: AnyObject, Sendable {
    /// Takes a key, unless it was taken before and not forgotten since.
    ///
    /// Two answers, for nobody shall wait for the disk before they know: `verdict` says whether the key is new, and is
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
        _ key: HashedKey,
        until: WallTime,
        verdict: @escaping Completion<Bool>,
        kept: @escaping Completion<Void>
    )
}
