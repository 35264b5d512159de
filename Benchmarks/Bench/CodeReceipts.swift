// SPDX-License-Identifier: Apache-2.0

import HTTP2
import Synchronization
import Threads

/// How the stand-in for APNs receives pushes: at its pace, one after the other, noting when the codes have their turn.
final class CodeReceipts: Sendable {
    static let prefix = "code-"

    private struct State {
        /// When the next push has its turn.
        var free: Nanoseconds = 0
        var times: [String] = []
    }

    private let state = Mutex(State())
    /// How long one push takes.
    private let turn: Nanoseconds

    /// Takes so many pushes a second, or all there are at once with 0.
    init(pace: Int) { turn = pace == 0 ? 0 : 1_000_000_000 / Nanoseconds(pace) }

    /// How long a push waits for its turn, in nanoseconds.
    func take(_ request: HTTP2ServerRequest) -> Nanoseconds {
        let now = Clock.now()
        let id = request.header("apns-collapse-id") ?? ""
        return state.withLock { state in
            let due = max(now, state.free)
            state.free = due + turn
            if id.hasPrefix(Self.prefix) { state.times.append("\(id.dropFirst(Self.prefix.count)):\(due)") }
            return due - now
        }
    }

    /// The numbers and times of all codes, as one line.
    var line: String { state.withLock { $0.times.joined(separator: " ") } }
}
