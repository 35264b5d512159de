// SPDX-License-Identifier: Apache-2.0

import Bus
import CMicroHTTPD
import Synchronization

/// One request on its way through the server.
///
/// `@unchecked`: everything but `outcome` is touched by libmicrohttpd's thread alone. The handler's task gets a copy
/// of the request and writes `outcome`, once; `connection` is used by whoever takes the exchange out of the
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

    /// What a request that ran is answered with.
    enum Answer {
        case response(HTTPResponse)
        /// The server's stop came before the handler's answer.
        case refusal(HTTPRefusal)
    }

    private enum Outcome {
        case none
        case ready(Answer)
        case taken
    }

    let target: String
    var phase = Phase.begun
    var route: HTTPRoute?
    /// The request, its body growing, until it is the handler's.
    var request: HTTPRequest?
    /// The request without its body, for ``HTTPRoute/refuse``.
    var head: HTTPRequest?
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
    private let outcome = Mutex(Outcome.none)

    init(target: String) { self.target = target }

    /// Stores the answer of the handler, or of the server's stop in its place: the first one stays.
    func finish(_ answer: Answer) {
        outcome.withLock { outcome in
            if case .none = outcome { outcome = .ready(answer) }
        }
    }

    /// Takes the answer out, in the form that the route's callers read.
    func takeAnswer() -> HTTPResponse? {
        let answer: Answer? = outcome.withLock { outcome in
            guard case .ready(let answer) = outcome else { return nil }
            outcome = .taken
            return answer
        }
        switch answer {
        case .response(let response): return response
        case .refusal(let refusal): return response(to: refusal)
        case nil: return nil
        }
    }

    /// A refusal in the form that the route's callers read.
    func response(to refusal: HTTPRefusal) -> HTTPResponse {
        guard let head, let refuse = route?.refuse else { return HTTPResponse(refusal) }
        return refuse(refusal, head)
    }
}
