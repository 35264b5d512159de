// SPDX-License-Identifier: Apache-2.0

import Bus
import CMicroHTTPD
import Synchronization

/// One request on its way through the server.
///
/// `@unchecked`: everything but `answer` is touched by libmicrohttpd's thread alone. The handler's task gets a copy
/// of the request and writes `answer`, once; `connection` is used by whoever takes the exchange out of the
/// ``ServerState``, under its lock.
final class Exchange: @unchecked Sendable {
    enum Phase {
        /// The request line was read; the handler callback has not been called.
        case begun
        /// The body is being kept for the route's handler.
        case receiving
        /// The body is being thrown away; `refusal` is the answer.
        case discarding
        /// The connection is suspended, the handler runs.
        case running
        /// The response was handed to libmicrohttpd.
        case answered
    }

    private enum Answer {
        case none
        case ready(HTTPResponse)
        case taken
    }

    let target: String
    var phase = Phase.begun
    var route: HTTPRoute?
    var request: HTTPRequest?
    var refusal: HTTPResponse?
    /// Bytes taken from the server's body memory, to be given back.
    var reserved = 0
    /// Bytes of the body seen so far, kept or not.
    var received = 0
    /// When the body must be complete, by the monotonic clock; 0 before its first byte.
    var bodyDeadline: UInt64 = 0
    /// Whether the server's state counts it.
    var isCounted = false
    /// The suspended connection; valid while ``Phase/running``.
    var connection: OpaquePointer?
    private let answer = Mutex(Answer.none)

    init(target: String) { self.target = target }

    /// Stores the answer of the handler, or of the server's stop in its place: the first one stays.
    func finish(_ response: HTTPResponse) {
        answer.withLock { answer in
            if case .none = answer { answer = .ready(response) }
        }
    }

    /// Takes the answer out.
    func takeAnswer() -> HTTPResponse? {
        answer.withLock { answer in
            guard case .ready(let response) = answer else { return nil }
            answer = .taken
            return response
        }
    }
}
