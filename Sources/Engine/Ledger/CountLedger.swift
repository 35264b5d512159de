// SPDX-License-Identifier: Apache-2.0

/// Counts what nobody should do often, over restarts and on every node.
public protocol CountLedger: AnyObject, Sendable {
    /// Counts a use of a key, unless it was used as often as `limit` says within `window`.
    ///
    /// The answer is on disk before it comes, so that a crash gives nobody more of them.
    func count(_ key: HashedKey, _ allowance: Allowance, completion: @escaping Completion<CountVerdict>)

    /// Takes a use back that turned out to be a good one.
    func uncount(_ key: HashedKey, completion: @escaping Completion<Void>)
}

/// How often something may be done.
public struct Allowance: Sendable, Hashable {
    /// So often at most within a window.
    public let limit: Int
    /// How long a window lasts, in milliseconds.
    public let window: Int64

    /// Allows so much.
    public init(limit: Int, window: Int64) {
        self.limit = limit
        self.window = window
    }
}

/// Whether something may be done once more.
public enum CountVerdict: Sendable, Equatable {
    /// It may, and was counted.
    case counted
    /// It may not, and was not counted; in so many milliseconds it is worth a try.
    case exceeded(retryAfter: Int64)
}

/// How often a key was used lately.
///
/// Two windows, one after the other: a use counts for one window at least and for two at most.
public struct Tally: Sendable, Equatable {
    /// When the newer window began.
    public var began: DueTime
    /// Uses in the newer window.
    public var newer: Int
    /// Uses in the window before it.
    public var older: Int

    /// Describes uses.
    public init(began: DueTime, newer: Int = 0, older: Int = 0) {
        self.began = began
        self.newer = newer
        self.older = older
    }

    /// Counts one more use, where the allowance has one left.
    public mutating func count(_ allowance: Allowance, at now: DueTime) -> CountVerdict {
        turn(allowance.window, at: now)
        guard newer + older < allowance.limit else { return .exceeded(retryAfter: allowance.window) }
        newer += 1
        return .counted
    }

    /// Takes a use back.
    public mutating func uncount() {
        if newer > 0 { newer -= 1 } else if older > 0 { older -= 1 }
    }

    /// When nothing is left to know of it.
    public func end(_ window: Int64) -> DueTime { began.adding(milliseconds: 2 * window) }

    private mutating func turn(_ window: Int64, at now: DueTime) {
        let windows = now.milliseconds(since: began) / max(window, 1)
        guard windows > 0 else { return }
        older = windows == 1 ? newer : 0
        newer = 0
        began = began.adding(milliseconds: windows * window)
    }
}
