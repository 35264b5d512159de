// SPDX-License-Identifier: Apache-2.0

/// Keeps the log readable where thousands may fail in a second: the first is told at once, those that follow are
/// counted and told together once a minute.
struct LineLimit {
    private static let interval: Int64 = 60_000

    private var next: Int64 = .min
    private(set) var held = 0

    /// Whether one may be told now; counts it where it may not. Times are in milliseconds since 1970.
    mutating func takes(at now: Int64) -> Bool {
        guard now >= next, held == 0 else {
            held += 1
            return false
        }
        next = now + Self.interval
        return true
    }

    /// How many were held back, once their time has come.
    mutating func takeHeld(at now: Int64) -> Int? {
        guard held > 0, now >= next else { return nil }
        defer { held = 0 }
        next = now + Self.interval
        return held
    }

    /// Whether something was told since it began anew.
    var hasTold: Bool { next > .min }

    /// Begins anew: the next one is told at once.
    mutating func reset() { self = LineLimit() }
}
