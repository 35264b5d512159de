// SPDX-License-Identifier: Apache-2.0

import CCurl
import Synchronization
import Threads

/// An HTTP client for what is rare: access tokens, callbacks, SMS gateways; libcurl's multi interface on one thread.
///
/// HTTP/1.1 and, over TLS, HTTP/2; certificates and names are verified; connections are kept and used again. Whoever
/// talks to a far end that may hang has a client of its own, so that nobody else waits for it.
public final class HTTPClient: Sendable {
    private let configuration: HTTPClientConfiguration
    private let inbox: ClientInbox
    private let thread: NamedThread
    private let lastID = Atomic<UInt64>(0)

    /// Starts the thread; connects to nothing.
    public init(
        _ configuration: HTTPClientConfiguration = HTTPClientConfiguration(),
        name: String = "http-client"
    ) {
        guard Self.library == CURLE_OK, let multi = curl_multi_init() else {
            // As with a thread that the system refuses: there is no memory to go on with.
            preconditionFailure("libcurl cannot start")
        }
        self.configuration = configuration
        let inbox = ClientInbox(multi: multi, limit: configuration.concurrentRequests + configuration.waitingRequests)
        self.inbox = inbox
        let limit = configuration.concurrentRequests
        thread = NamedThread(name) { ClientLoop(inbox, concurrentRequests: limit).run() }
    }

    deinit { inbox.stop() }

    /// Sends a request and waits for the whole answer.
    ///
    /// Cancelling the task ends the request at once. An answer of any status is an answer.
    ///
    /// - Throws: ``HTTPClientError``.
    public func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPClientResponse {
        let id = lastID.add(1, ordering: .relaxed).newValue
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
                post(request, id: id) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            inbox.cancel(id)
        }
        return try result.get()
    }

    /// Ends all requests and closes all connections; waits for the thread.
    public func stop() {
        inbox.stop()
        thread.join()
    }

    // MARK: How

    private typealias Outcome = Result<HTTPClientResponse, HTTPClientError>

    private static let library = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    private func post(_ request: HTTPClientRequest, id: UInt64, finish: @escaping @Sendable (Outcome) -> Void) {
        if Task.isCancelled { return finish(.failure(.cancelled)) }
        do throws(HTTPClientError) {
            let transfer = try Transfer(request, id: id, configuration: configuration, finish: finish)
            if let refusal = inbox.post(transfer) { return finish(.failure(refusal)) }
            // A cancellation between the look above and the posting found nothing to cancel.
            if Task.isCancelled { inbox.cancel(id) }
        } catch { finish(.failure(error)) }
    }
}
