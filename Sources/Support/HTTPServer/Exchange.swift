// SPDX-License-Identifier: Apache-2.0

import Bus
import CMicroHTTPD
import Synchronization

/// One request on its way through the server, and the executor of its handler's task.
///
/// The handler runs on libmicrohttpd's thread, in the turns that its connection gets: a task that hops to Swift's
/// pool and back costs two wake-ups a request. Whoever ends what the handler waits for leaves the next piece of it
/// here and has the connection resumed.
///
/// `@unchecked`: everything but `turn` is touched by the thread alone that drives libmicrohttpd, and `loop` is written
/// before anybody else has the exchange.
final class Exchange: TaskExecutor, @unchecked Sendable {
    enum Phase {
        /// The request line was read; the handler callback has not been called.
        case begun
        /// The body is being kept for the route's handler.
        case receiving
        /// The body is being thrown away; `refusal` is the answer.
        case discarding
        /// The handler runs; the connection is suspended while it waits.
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

    let target: String
    var phase = Phase.begun
    var served: ServedRoute?
    /// The request, its body growing, until it is the handler's.
    var request: HTTPRequest?
    /// The request without its body, for ``HTTPRoute/refuse``.
    var head: HTTPRequest?
    var refusal: HTTPResponse?
    /// Whether the client may still be writing when its answer has gone and the connection is closed.
    var lingers = false
    /// Bytes taken from the server's body memory, to be given back.
    var reserved = 0
    /// Bytes of the body seen so far, kept or not.
    var received = 0
    /// When the body must be complete; `nil` before its first byte.
    var bodyDeadline: MonotonicTime?
    /// Whether the server's state counts it.
    var isCounted = false
    /// Where it is among the exchanges that the server's state counts; under the state's lock.
    var place = 0
    /// The connection; valid while ``Phase/running``.
    var connection: OpaquePointer?
    /// Drives the connection.
    var loop: ServerLoop?
    private let turn = Mutex(ExchangeTurn())

    init(target: String) { self.target = target }

    // MARK: From any thread

    /// Takes a piece of the handler's task, to be run when the connection has its turn.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isTaken = turn.withLock { turn in
            let placement = turn.add(job)
            // Within the lock, for the server must not stop in between: libmicrohttpd aborts the process then.
            if placement == .resume { loop?.resume(self) }
            return placement != .elsewhere
        }
        // Answered by the server's stop, or the client is gone: the task still runs to its end.
        if !isTaken { globalConcurrentExecutor.enqueue(job) }
    }

    /// Stores the answer of the handler, or of the server's stop in its place: the first one stays.
    func finish(_ answer: Answer) {
        turn.withLock { if $0.finish(answer) { loop?.resume(self) } }
    }

    // MARK: From libmicrohttpd's thread

    /// Runs what there is of the handler's task; returns the answer, `nil` where the handler waits for something.
    func work() -> HTTPResponse? {
        let executor = asUnownedTaskExecutor()
        while let job = turn.withLock({ $0.takeJob() }) { job.runSynchronously(on: executor) }
        switch turn.withLock({ $0.takeAnswer() }) {
        case .response(let response): return response
        case .refusal(let refusal): return response(to: refusal)
        case nil: return nil
        }
    }

    /// Suspends the connection until there is something to do.
    func suspend(_ connection: OpaquePointer) {
        // First suspended, then known to be so: what is known may be resumed at any moment.
        MHD_suspend_connection(connection)
        turn.withLock { if $0.suspend() { MHD_resume_connection(connection) } }
    }

    /// The request is over: whatever is left of its task runs elsewhere.
    func abandon() {
        turn.withLock { $0.abandon() }
        while let job = turn.withLock({ $0.takeJob() }) { globalConcurrentExecutor.enqueue(job) }
    }

    /// A refusal in the form that the route's callers read.
    func response(to refusal: HTTPRefusal) -> HTTPResponse {
        guard let head, let refuse = served?.route.refuse else { return HTTPResponse(refusal) }
        return refuse(refusal, head)
    }
}
