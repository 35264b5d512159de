// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import Synchronization

/// How the stand-in for APNs receives pushes: at its pace, one after the other, noting when the codes have their turn.
final class CodeReceipts: Sendable {
    static let prefix = "code-"

    private struct State {
        /// When the next push has its turn.
        var free = MonotonicTime.distantPast
        var times: [String] = []
    }

    private let state = Mutex(State())
    /// How many nanoseconds one push takes.
    private let turn: UInt64

    /// Takes so many pushes a second, or all there are at once with 0.
    init(pace: Int) { turn = pace == 0 ? 0 : 1_000_000_000 / UInt64(pace) }

    /// How long a push waits for its turn, in nanoseconds.
    func take(_ request: HTTP2ServerRequest) -> UInt64 {
        let now = MonotonicTime.now()
        let id = request.header("apns-collapse-id") ?? ""
        return state.withLock { state in
            let due = max(now, state.free)
            state.free = due.adding(nanoseconds: turn)
            if id.hasPrefix(Self.prefix) { state.times.append("\(id.dropFirst(Self.prefix.count)):\(due.nanoseconds)") }
            return due.nanoseconds(since: now)
        }
    }

    /// The numbers and times of all codes, as one line.
    var line: String { state.withLock { $0.times.joined(separator: " ") } }
}
