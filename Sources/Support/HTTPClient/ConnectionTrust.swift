// SPDX-License-Identifier: Apache-2.0

import Bus

/// Which of the kept connections to each far end may be used again.
///
/// One machine behind a name may be sick while others are well, and libcurl uses a connection again for as long as it
/// is open: over HTTP/2 even after a request on it was never answered. So after a request without an answer, or
/// errors of the far end in a row, the next request gets a connection of its own, and those from before are left.
struct ConnectionTrust {
    /// How a request may be connected.
    struct Reuse: Equatable {
        /// Whether it must have a new connection.
        var isFresh = false
        /// How many seconds old a connection may be; 0 for any age.
        var longestLife = 0
    }

    private struct Standing {
        var errors = 0
        var isTroubled = false
        /// Connections from before are not to be used.
        var since = MonotonicTime.distantPast
    }

    /// Errors of the far end in a row after which its connection is not used again.
    private static let errorsToDoubt = 3
    /// How long libcurl keeps an idle connection (118 s), and more: what is older is gone.
    private static let memory: UInt64 = 600_000_000_000
    /// More far ends than a client has to do with.
    private static let limit = 256
    private var standings: [String: Standing] = [:]

    /// What a request to a far end may use.
    func reuse(for origin: String, at now: MonotonicTime) -> Reuse {
        guard let standing = standings[origin], standing.since != .distantPast else { return Reuse() }
        let age = now.nanoseconds(since: standing.since)
        guard age < Self.memory || standing.isTroubled else { return Reuse() }
        // libcurl leaves a connection whose age in whole seconds is more than it may be: the shortest is two.
        let seconds = Int(age / 1_000_000_000)
        guard seconds >= 2 else { return Reuse(isFresh: true) }
        return Reuse(isFresh: standing.isTroubled, longestLife: seconds - 1)
    }

    /// Notes an answer.
    mutating func answered(_ status: Int, from origin: String, at now: MonotonicTime) {
        guard status >= 500 else {
            // What is well needs no entry, unless older connections must still be told from newer ones.
            guard var standing = standings[origin] else { return }
            standing.errors = 0
            standing.isTroubled = false
            standings[origin] = standing.since == .distantPast ? nil : standing
            return
        }
        change(origin) { standing in
            standing.errors += 1
            guard standing.errors >= Self.errorsToDoubt else { return }
            standing.isTroubled = true
            standing.since = now
        }
    }

    /// Notes that a request got no answer on a connection.
    mutating func unanswered(by origin: String, at now: MonotonicTime) {
        change(origin) { standing in
            standing.isTroubled = true
            standing.since = now
        }
    }

    private mutating func change(_ origin: String, _ change: (inout Standing) -> Void) {
        if standings.count >= Self.limit, standings[origin] == nil { standings = [:] }
        change(&standings[origin, default: Standing()])
    }
}
