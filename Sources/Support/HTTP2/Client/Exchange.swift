// SPDX-License-Identifier: Apache-2.0

internal import Threads

/// A request on its way, and what has come of it so far.
///
/// Confined to the loop's thread.
final class Exchange {
    static let bodyLimit = 16 * 1024

    let request: HTTP2Request
    // Copies of what is looked at often: reading a field of the request may retain all its parts.
    let tag: UInt64
    let isUrgent: Bool
    let bodyCount: Int
    /// When to give up: the request's own deadline while it waits, the sooner of that and the timeout once sent.
    var deadline: Nanoseconds
    /// Its place in the connection's list.
    var slot = 0
    var stream: Int32 = 0
    /// Whether any of it may have reached the peer.
    var isWritten = false
    /// Whether its result is given; it then only waits for nghttp2 to close the stream.
    var isSettled = false
    var bodySent = 0
    var status = 0
    var headers: [HTTP2Header] = []
    var body: [UInt8] = []
    var isTruncated = false

    init(_ request: HTTP2Request) {
        self.request = request
        tag = request.tag
        isUrgent = request.isUrgent
        bodyCount = request.body.count
        deadline = request.deadline
    }

    /// Forgets an attempt that the peer surely did not process.
    func rewind() {
        deadline = request.deadline
        stream = 0
        isWritten = false
        bodySent = 0
        status = 0
        headers = []
        body = []
        isTruncated = false
    }

    /// Keeps what fits; returns `false` once there is more than is kept.
    func receive(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let room = Self.bodyLimit - body.count
        body.append(contentsOf: bytes.prefix(room))
        if bytes.count > room { isTruncated = true }
        return !isTruncated
    }

    /// The answer, once its final status is known.
    var response: HTTP2Response? {
        guard status >= 200 else { return nil }
        return HTTP2Response(status: status, headers: headers, body: body, isTruncated: isTruncated)
    }
}
