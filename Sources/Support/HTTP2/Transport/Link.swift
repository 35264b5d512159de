// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import CNGHTTP2

/// An nghttp2 session on a wire: reads feed the session, and what it has to say is gathered to 16 KiB a write.
///
/// Used by both ends; confined to the thread of its poller.
final class Link {
    static let record = 16 * 1024
    /// nghttp2 hands out one frame at a time: header of 9 bytes and 16 KiB at most.
    private static let capacity = 2 * record + 64

    let wire: Wire
    let session: OpaquePointer
    private unowned let poller: Poller
    private let token: UInt64
    private let output = UnsafeMutableRawPointer.allocate(byteCount: Link.capacity, alignment: 16)
    private var start = 0
    private var end = 0
    private var interest = EPOLLIN.rawValue

    /// Whether the socket takes no more for now.
    private(set) var isBlocked = false

    /// Takes over the session; the wire is already watched under `token`.
    init(_ wire: Wire, takingOver session: OpaquePointer, poller: Poller, token: UInt64) {
        self.wire = wire
        self.session = session
        self.poller = poller
        self.token = token
        poller.change(token, wire.descriptor, interest)
    }

    deinit {
        nghttp2_session_del(session)
        output.deallocate()
    }

    /// Reads what has come; a text says why the connection is at its end.
    ///
    /// `onBytes` is called before parsing.
    func receive() -> (hasRead: Bool, end: String?) {
        var hasRead = false
        for _ in 0..<64 {
            switch wire.read(into: poller.input) {
            case .wouldBlock: return (hasRead, nil)
            case .ended(let why): return (hasRead, why)
            case .bytes(let count):
                hasRead = true
                let base = poller.input.baseAddress?.assumingMemoryBound(to: UInt8.self)
                let used = nghttp2_session_mem_recv(session, base, count)
                if used < 0 { return (true, Self.text(used)) }
                if count < poller.input.count, !wire.hasPending { return (true, nil) }
            }
        }
        poller.again(token)
        return (hasRead, nil)
    }

    /// Writes until the session has nothing more to say or the socket is full; a text says why it is at its end.
    func flush() -> String? {
        while true {
            if start == end || !isBlocked, let failure = gather() { return failure }
            if start == end { return isFinished ? "the HTTP/2 session ended" : nil }
            let bytes = UnsafeRawBufferPointer(start: output + start, count: min(end - start, Self.record))
            switch wire.write(bytes) {
            case .bytes(let count):
                start += count
                setBlocked(false)
            case .wouldBlock:
                setBlocked(true)
                return nil
            case .ended(let why): return why
            }
        }
    }

    private var isFinished: Bool {
        nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
    }

    /// Refills the buffer up to one full record.
    private func gather() -> String? {
        if start > 0 {
            if end > start { output.copyMemory(from: output + start, byteCount: end - start) }
            end -= start
            start = 0
        }
        while end < Self.record {
            var frame: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &frame)
            if count < 0 { return Self.text(count) }
            guard count > 0, let frame else { return nil }
            guard end + count <= Self.capacity else { return "a frame is larger than allowed" }
            (output + end).copyMemory(from: frame, byteCount: count)
            end += count
        }
        return nil
    }

    private func setBlocked(_ blocked: Bool) {
        guard blocked != isBlocked else { return }
        isBlocked = blocked
        interest = blocked ? EPOLLIN.rawValue | EPOLLOUT.rawValue : EPOLLIN.rawValue
        poller.change(token, wire.descriptor, interest)
    }

    static func text(_ code: Int) -> String {
        "HTTP/2 failed: \(String(cString: nghttp2_strerror(Int32(clamping: code))).lowercased())"
    }

    static func errorName(_ code: UInt32) -> String {
        String(cString: nghttp2_http2_strerror(code))
    }
}
