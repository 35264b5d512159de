// SPDX-License-Identifier: Apache-2.0

import Bus
import Synchronization

/// Counts what nobody should do often, by a name: a user, a device.
///
/// Its table is bounded: it is two generations, of which the older is forgotten when a window has passed or the newer
/// is full. So a count lasts one window at least and two at most, unless somebody drives very many names at once.
final class AttemptLimiter: Sendable {
    private struct State {
        var newer: [String: Int] = [:]
        var older: [String: Int] = [:]
        var began: MonotonicTime

        func count(of name: String) -> Int { (newer[name] ?? 0) + (older[name] ?? 0) }

        mutating func turn(at now: MonotonicTime) {
            older = newer
            newer = [:]
            began = now
        }
    }

    /// What a name may do at most in a window.
    private let limit: Int
    /// In seconds.
    private let window: Int
    private let capacity: Int
    private let state: Mutex<State>

    init(limit: Int, window: Int, capacity: Int = 32_768, now: MonotonicTime = .now()) {
        self.limit = limit
        self.window = window
        self.capacity = capacity
        state = Mutex(State(began: now))
    }

    /// Counts an attempt.
    ///
    /// - Returns: `nil` where it may go on, else after how many seconds to come again; then it was not counted.
    func take(_ name: String, now: MonotonicTime = .now()) -> Int? {
        let length = Int64(window) * 1_000
        return state.withLock { state in
            let passed = now.milliseconds(since: state.began)
            if passed >= length {
                state.turn(at: now)
                if passed >= 2 * length { state.older = [:] }
            }
            guard state.count(of: name) < limit else { return window }
            if state.newer.count >= capacity, state.newer[name] == nil { state.turn(at: now) }
            state.newer[name, default: 0] += 1
            return nil
        }
    }

    /// Takes an attempt back that turned out to be a good one.
    func giveBack(_ name: String) {
        state.withLock { state in
            if let count = state.newer[name] {
                state.newer[name] = count > 1 ? count - 1 : nil
            } else if let count = state.older[name] {
                state.older[name] = count > 1 ? count - 1 : nil
            }
        }
    }
}

/// What keeps guessers slow in one pipeline, beyond the tries that each registration has.
struct AttemptLimits: Sendable {
    /// Codes asked for by a user, whatever his devices.
    let codes = AttemptLimiter(limit: 20, window: 600)
    /// Text messages with codes to a user, and to a phone: each costs money, and its holder's patience.
    let texts = AttemptLimiter(limit: 10, window: 600)
    /// Wrong codes of a user, whatever his devices.
    let guesses = AttemptLimiter(limit: 20, window: 600)
}
