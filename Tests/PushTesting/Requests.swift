// SPDX-License-Identifier: Apache-2.0

public import HTTP2
import Synchronization

/// Keeps what a server got.
public final class Requests: Sendable {
    private let state = Mutex<[HTTP2ServerRequest]>([])

    public init() {}

    /// Notes a request; returns how many there were before.
    public func add(_ request: HTTP2ServerRequest) -> Int {
        state.withLock {
            $0.append(request)
            return $0.count - 1
        }
    }

    public var all: [HTTP2ServerRequest] { state.withLock { $0 } }
}

public let ok = HTTP2ServerAction.respond(HTTP2ServerResponse(200))

public func answer(_ status: Int, _ body: String, _ headers: [HTTP2Header] = []) -> HTTP2ServerAction {
    .respond(HTTP2ServerResponse(status, ownHeaders: headers, body: Array(body.utf8)))
}
