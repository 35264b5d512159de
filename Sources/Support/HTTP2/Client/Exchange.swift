// SPDX-License-Identifier: Apache-2.0

internal import Bus

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
    var deadline: MonotonicTime
    /// When it was put on the wire's queue.
    var sentAt = MonotonicTime.distantPast
    /// Its place in the connection's list.
    var slot = 0
    var stream: Int32 = 0
    /// Whether any of it may have reached the peer.
    var isWritten = false
    /// Whether its result is given, or an other exchange will give it; it only waits for nghttp2 to close the stream.
    var isSettled = false
    var bodySent = 0
    var status = 0
    var headers: [HTTP2Header] = []
    var body: [UInt8] = []
    var isTruncated = false
    /// How often the peer said that it did not process it.
    var refusals = 0
    /// What it has been through on other connections; `nil` on its first.
    let past: Past?

    init(_ request: HTTP2Request, past: Past? = nil) {
        self.request = request
        self.past = past
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

extension Exchange {
    /// What became of a request on the connections before.
    struct Past {
        /// The number of the connection it was taken off.
        let connection: Int
        /// How often it was taken elsewhere.
        let moves: Int
        /// What holds where no further attempt comes to an end: the error it got, or that nobody knows.
        let outcome: HTTP2Outcome?
        /// Until when it waits for another connection.
        let patience: MonotonicTime
    }

    /// Whether it waits for another connection than this one, which failed it.
    ///
    /// One that was silent is another matter: it is in doubt, or has answered since.
    func avoids(_ connection: ClientConnection, at now: MonotonicTime) -> Bool {
        guard let past, past.connection == connection.number, case .response? = past.outcome else { return false }
        return now < past.patience
    }

    /// Whether it was taken elsewhere so often that it takes what there is.
    var isTired: Bool { past.map { $0.moves > PoolCore.movesToFresh } ?? false }
}
