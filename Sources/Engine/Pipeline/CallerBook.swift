// SPDX-License-Identifier: Apache-2.0

import Bus

/// Who was turned away how often, by address: how long they wait for their answers, and what is logged of it.
///
/// A state machine without I/O. Its table is bounded: it is two generations, of which the older is forgotten when the
/// newer is full.
struct CallerBook {
    /// What follows from a refused call.
    struct Note: Equatable {
        /// How long the answer is held back.
        let delay: Duration
        /// How many calls of this caller were not logged since their last line; `nil` where this one is not either.
        let line: Int?
    }

    private struct Caller {
        var guesses = 0
        var lastGuess = MonotonicTime.distantPast
        var lastLine: MonotonicTime?
        var silent = 0
    }

    /// Guesses that are mistakes: somebody mistyped, or a bank's clients changed their password one by one.
    private static let free = 5
    private static let firstDelay: Int64 = 100
    private static let longestDelay: Int64 = 2_000
    /// In this time half of a caller's guesses are forgotten.
    private static let halfLife: Int64 = 60_000
    private static let second: Int64 = 1_000
    /// Lines a second for all callers together.
    private static let mostLines = 20

    private let capacity: Int
    private var newer: [String: Caller] = [:]
    private var older: [String: Caller] = [:]
    private var lines: (since: MonotonicTime, count: Int) = (.distantPast, 0)

    init(capacity: Int = 8_192) { self.capacity = capacity }

    /// How many callers it knows.
    var count: Int { newer.count + older.count }

    /// Takes note of a refused call.
    mutating func refused(_ name: String, isGuess: Bool, now: MonotonicTime) -> Note {
        if newer.count >= capacity, newer[name] == nil {
            older = newer
            newer = [:]
        }
        var caller = newer[name] ?? older.removeValue(forKey: name) ?? Caller()
        defer { newer[name] = caller }
        let delay = isGuess ? guess(&caller, now) : .zero
        return Note(delay: delay, line: line(&caller, now))
    }

    private func guess(_ caller: inout Caller, _ now: MonotonicTime) -> Duration {
        if caller.guesses > 0 {
            let halvings = now.milliseconds(since: caller.lastGuess) / Self.halfLife
            caller.guesses = halvings > 30 ? 0 : caller.guesses >> halvings
        }
        caller.guesses = min(caller.guesses + 1, 1_000)
        caller.lastGuess = now
        let beyond = caller.guesses - Self.free
        guard beyond > 0 else { return .zero }
        return .milliseconds(min(Self.firstDelay << Int64(min(beyond - 1, 10)), Self.longestDelay))
    }

    private mutating func line(_ caller: inout Caller, _ now: MonotonicTime) -> Int? {
        if now.milliseconds(since: lines.since) >= Self.second { lines = (now, 0) }
        let isDue = caller.lastLine.map { now.milliseconds(since: $0) >= Self.second } ?? true
        guard isDue, lines.count < Self.mostLines else {
            caller.silent += 1
            return nil
        }
        lines.count += 1
        caller.lastLine = now
        defer { caller.silent = 0 }
        return caller.silent
    }
}
