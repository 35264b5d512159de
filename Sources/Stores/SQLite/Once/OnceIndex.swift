// SPDX-License-Identifier: Apache-2.0

import Engine

/// The keys that are taken, and when each may be forgotten: a state machine without I/O.
///
/// They lie by the second in which they end, so that the ended ones are found without a look at the others.
struct OnceIndex {
    /// What there is to say of a key.
    enum Verdict { case first, again, full }

    /// The most keys; each takes some 60 bytes.
    static let most = 1_000_000
    /// Keys that are forgotten with each that is taken: more than come, few enough that nobody notices.
    private static let lot = 8

    private let capacity: Int
    private var ends: [HashedKey: Int64] = [:]
    private var bySecond: [Int64: [HashedKey]] = [:]
    /// Before this second nothing is left.
    private var oldest = Int64.max

    init(capacity: Int = OnceIndex.most) { self.capacity = capacity }

    /// How many keys are taken, ended ones that still lie there included.
    var count: Int { ends.count }

    /// Takes a key.
    mutating func take(_ key: HashedKey, until: DueTime, now: DueTime) -> Verdict {
        forget(now)
        let current = now.milliseconds / 1_000
        if let end = ends[key], end >= current { return .again }
        guard ends.count < capacity else { return .full }
        add(key, until: until)
        return .first
    }

    /// Adds a key that was taken before the restart.
    mutating func add(_ key: HashedKey, until: DueTime) {
        let second = until.milliseconds / 1_000 + 1
        ends[key] = second
        bySecond[second, default: []].append(key)
        oldest = min(oldest, second)
    }

    /// Makes a key free again that could not be kept.
    mutating func release(_ key: HashedKey) { ends[key] = nil }

    private mutating func forget(_ now: DueTime) {
        let current = now.milliseconds / 1_000
        var left = Self.lot
        while left > 0, oldest < current, !bySecond.isEmpty {
            guard let key = bySecond[oldest]?.popLast() else {
                bySecond[oldest] = nil
                oldest += 1
                // An hour without a key is not walked through second by second.
                if bySecond[oldest] == nil { oldest = bySecond.keys.min() ?? .max }
                continue
            }
            left -= 1
            // A key that was released and taken again lies twice, and ends with the later one.
            if ends[key] == oldest { ends[key] = nil }
        }
        if bySecond.isEmpty { oldest = .max }
    }
}
