// SPDX-License-Identifier: Apache-2.0

import Bus
import CCurl

/// What the client's thread does; used by that thread alone.
final class ClientLoop {
    /// Milliseconds between two looks at those who wait, should nothing happen.
    private static let longestWait: UInt64 = 1_000

    private let inbox: ClientInbox
    private let concurrentRequests: Int
    private var waiting: [Transfer] = []
    private var running: [UnsafeMutableRawPointer: Transfer] = [:]
    private var trust = ConnectionTrust()

    init(_ inbox: ClientInbox, concurrentRequests: Int) {
        self.inbox = inbox
        self.concurrentRequests = concurrentRequests
        _ = busd_curl_set_multi_number(inbox.multi, CURLMOPT_MAXCONNECTS, concurrentRequests)
    }

    /// Works until the inbox is stopped.
    func run() {
        while true {
            let content = inbox.take()
            waiting += content.posted
            for id in content.cancelled { cancel(id) }
            if content.isStopped { break }
            admit()
            var count: Int32 = 0
            let result = curl_multi_perform(inbox.multi, &count)
            guard result == CURLM_OK else {
                failAll(.broken, String(cString: curl_multi_strerror(result)))
                continue
            }
            // What has ended makes room for others at once, without a wait.
            if !settle() { curl_multi_poll(inbox.multi, nil, 0, pause(), nil) }
        }
        failAll(.stopped, "the HTTP client was stopped")
        curl_multi_cleanup(inbox.multi)
    }

    /// Starts as many of those who wait as there is room for.
    private func admit() {
        let now = MonotonicTime.now()
        for transfer in waiting where transfer.deadline <= now {
            end(transfer, .timedOut, "the time limit passed while other requests took all connections")
        }
        waiting.removeAll { $0.deadline <= now }
        let started = waiting.prefix(max(0, concurrentRequests - running.count))
        waiting.removeFirst(started.count)
        for transfer in started {
            transfer.start(at: now, trust.reuse(for: transfer.origin.description, at: now))
            let result = curl_multi_add_handle(inbox.multi, transfer.handle)
            guard result == CURLM_OK else {
                end(transfer, .broken, String(cString: curl_multi_strerror(result)))
                continue
            }
            running[transfer.handle] = transfer
        }
    }

    /// Answers the callers of what has ended; `false` where nothing has.
    private func settle() -> Bool {
        var hasEnded = false
        var left: Int32 = 0
        while let message = curl_multi_info_read(inbox.multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            // Read before the handle is removed: libcurl frees the message then.
            let result = message.pointee.data.result
            guard let transfer = running.removeValue(forKey: handle) else { continue }
            hasEnded = true
            curl_multi_remove_handle(inbox.multi, handle)
            inbox.release()
            learn(transfer, result)
            transfer.complete(result)
        }
        return hasEnded
    }

    /// Draws from the end of a request what it says of its connection.
    private func learn(_ transfer: Transfer, _ result: CURLcode) {
        let (origin, now) = (transfer.origin.description, MonotonicTime.now())
        switch result {
        case CURLE_OK: trust.answered(transfer.status, from: origin, at: now)
        case CURLE_OPERATION_TIMEDOUT where transfer.isConnected: trust.unanswered(by: origin, at: now)
        default: break
        }
    }

    private func cancel(_ id: UInt64) {
        if let index = waiting.firstIndex(where: { $0.id == id }) {
            end(waiting.remove(at: index), .cancelled, "the request was cancelled")
        } else if let (handle, transfer) = running.first(where: { $0.value.id == id }) {
            running[handle] = nil
            curl_multi_remove_handle(inbox.multi, handle)
            end(transfer, .cancelled, "the request was cancelled")
        }
    }

    private func failAll(_ code: HTTPClientError.Code, _ reason: String) {
        for (handle, transfer) in running {
            curl_multi_remove_handle(inbox.multi, handle)
            end(transfer, code, reason)
        }
        for transfer in waiting { end(transfer, code, reason) }
        running = [:]
        waiting = []
    }

    private func end(_ transfer: Transfer, _ code: HTTPClientError.Code, _ reason: String) {
        inbox.release()
        transfer.fail(code, reason)
    }

    /// How long to wait at most, in milliseconds; libcurl's own timers shorten it further.
    private func pause() -> Int32 {
        guard let first = waiting.map(\.deadline).min() else { return Int32(Self.longestWait) }
        let now = MonotonicTime.now()
        return first > now ? Int32(min(first.nanoseconds(since: now) / 1_000_000 + 1, Self.longestWait)) : 0
    }
}
