// SPDX-License-Identifier: Apache-2.0

import Bus

/// Lets so many through a second, and at most a tenth of a second's worth at once.
struct TokenBucket {
    private let perMillisecond: Double
    private let capacity: Double
    private var tokens: Double
    private var filledAt: MonotonicTime?

    /// - Parameter rate: deliveries a second; not positive counts as one in ten seconds.
    init(rate: Double) {
        perMillisecond = max(rate, 0.1) / 1_000
        capacity = max(1, rate / 10)
        tokens = capacity
    }

    /// How many may pass now.
    mutating func available(at now: MonotonicTime) -> Int {
        let since = now.nanoseconds(since: filledAt ?? now)
        tokens = min(capacity, tokens + Double(since) / 1_000_000 * perMillisecond)
        filledAt = now
        return max(0, Int(tokens))
    }

    /// Notes that one passed; more than are available are a debt.
    mutating func take() { tokens -= 1 }

    /// When the next may pass.
    func next(after now: MonotonicTime) -> MonotonicTime {
        tokens >= 1 ? now : now.adding(milliseconds: max(1, Int64(((1 - tokens) / perMillisecond).rounded(.up))))
    }
}
