// SPDX-License-Identifier: Apache-2.0

import CCurl
import Synchronization

/// The way from callers to the client's thread.
///
/// `@unchecked`: `multi` is libcurl's; from other threads only `curl_multi_wakeup` is called, which is the one call
/// that it allows there, and only while `isStopped` is not set.
final class ClientInbox: @unchecked Sendable {
    /// What has gathered since the thread last looked.
    struct Content {
        var posted: [Transfer] = []
        var cancelled: [UInt64] = []
        var isStopped = false
        /// Requests posted and not ended.
        fileprivate var open = 0
    }

    let multi: UnsafeMutableRawPointer
    private let limit: Int
    private let content = Mutex(Content())

    /// Creates an inbox that has room for `limit` requests from their posting to their end.
    init(multi: UnsafeMutableRawPointer, limit: Int) {
        self.multi = multi
        self.limit = limit
    }

    /// Hands a request to the thread, or says why not.
    func post(_ transfer: Transfer) -> HTTPClientError? {
        content.withLock { content in
            if content.isStopped { return .stopped }
            guard content.open < limit else {
                return HTTPClientError(.overloaded, "\(transfer.origin): too many requests wait already")
            }
            content.open += 1
            content.posted.append(transfer)
            curl_multi_wakeup(multi)
            return nil
        }
    }

    /// Asks the thread to end a request; nothing where it is gone.
    func cancel(_ id: UInt64) {
        content.withLock { content in
            guard !content.isStopped else { return }
            content.cancelled.append(id)
            curl_multi_wakeup(multi)
        }
    }

    func stop() {
        content.withLock { content in
            guard !content.isStopped else { return }
            content.isStopped = true
            curl_multi_wakeup(multi)
        }
    }

    /// Notes the end of a request.
    func release() { content.withLock { $0.open -= 1 } }

    /// Takes what has gathered.
    func take() -> Content {
        content.withLock { content in
            let taken = content
            content.posted = []
            content.cancelled = []
            return taken
        }
    }
}
