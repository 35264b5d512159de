// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import CNGHTTP2
internal import Synchronization

/// A request as it comes in, and the response as it goes out.
///
/// Confined to the server's thread.
final class ServerStream {
    let number: Int32
    var fields = FieldStore()
    var body: [UInt8] = []
    var isBodyTruncated = false
    var response: HTTP2ServerResponse?
    var bodySent = 0

    init(_ number: Int32) { self.number = number }
}

/// One connection of a server.
///
/// Confined to the server's thread.
final class ServerConnection: PollTarget {
    let identifier: UInt64
    unowned let core: ServerCore
    private let wire: Wire
    private var token: UInt64 = 0
    private var link: Link?
    private var streams: [Int32: ServerStream] = [:]
    private var subject: String?
    private var mustDrop = false
    /// The last stream of the latest GOAWAY: later ones, though already read, must not be processed.
    private var lastPromised = Int32.max
    private var isClosed = false
    var isTouched = false

    init(_ identifier: UInt64, _ wire: Wire, core: ServerCore) {
        self.identifier = identifier
        self.wire = wire
        self.core = core
        token = core.poller.add(self, wire.descriptor, EPOLLIN.rawValue)
    }

    func ready(_ events: UInt32) {
        guard !isClosed else { return }
        guard let link else { return shakeHands() }
        if link.receive().end != nil { return close() }
        core.touch(self)
    }

    private func shakeHands() {
        switch wire.shakeHands() {
        case .wantsRead: core.poller.change(token, wire.descriptor, EPOLLIN.rawValue)
        case .wantsWrite: core.poller.change(token, wire.descriptor, EPOLLOUT.rawValue)
        case .failed: close()
        case .done: beginSession()
        }
    }

    private func beginSession() {
        let streams = core.maxConcurrentStreams
        guard let session = ServerSession.make(for: self, core.configuration, streams: streams) else { return close() }
        subject = wire.peerSubject
        link = Link(wire, takingOver: session, poller: core.poller, token: token)
        ready(0)
    }

    func flush() {
        isTouched = false
        guard !isClosed, let link else { return }
        if mustDrop || link.flush() != nil { close() }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        core.poller.remove(token, wire.descriptor)
        link = nil
        streams = [:]
        core.closed(self)
    }

    // MARK: What nghttp2 tells

    func begin(_ number: Int32) -> ServerStream {
        let stream = ServerStream(number)
        streams[number] = stream
        core.counts.noteStreams(streams.count)
        return stream
    }

    func receive(_ bytes: UnsafeBufferPointer<UInt8>, on stream: ServerStream) {
        let room = core.configuration.bodyLimit - stream.body.count
        stream.body.append(contentsOf: bytes.prefix(room))
        if bytes.count > room { stream.isBodyTruncated = true }
    }

    func complete(_ stream: ServerStream) {
        guard stream.number <= lastPromised else { return }
        core.counts.requests.add(1, ordering: .relaxed)
        let request = HTTP2ServerRequest(
            stream: HTTP2ServerStream(connection: identifier, number: stream.number),
            clientSubject: subject,
            body: stream.body,
            isBodyTruncated: stream.isBodyTruncated,
            fields: stream.fields
        )
        perform(core.handler(request), on: stream.number)
    }

    func ended(_ number: Int32) { streams[number] = nil }

    // MARK: Doing

    func perform(_ action: HTTP2ServerAction, on number: Int32) {
        guard let link, !isClosed else { return }
        core.touch(self)
        switch action {
        case .respond(let response): respond(response, on: number, link.session)
        case .after(let delay, let action): core.later(delay, action, identifier, number)
        case .reset(let code): nghttp2_submit_rst_stream(link.session, 0, number, code)
        case .goAway(let last, let code, let debugData):
            lastPromised = min(lastPromised, Self.stream(last, number))
            nghttp2_submit_goaway(link.session, 0, lastPromised, code, debugData, debugData.count)
        case .maxConcurrentStreams(let limit): setMaxConcurrentStreams(limit)
        case .drop: mustDrop = true
        case .silent: break
        case .all(let actions): for action in actions { perform(action, on: number) }
        }
    }

    private static func stream(_ last: HTTP2ServerAction.LastStream, _ number: Int32) -> Int32 {
        switch last {
        case .current: number
        case .beforeCurrent: max(0, number - 2)
        case .all: .max
        }
    }

    private func respond(_ response: HTTP2ServerResponse, on number: Int32, _ session: OpaquePointer) {
        guard let stream = streams[number], stream.response == nil else { return }
        stream.response = response
        let packer = core.packer
        packer.reset()
        packer.append(":status", Self.text(response.status), isIndexed: true)
        for header in response.ownHeaders { packer.append(header) }
        let failure = busd_h2_response(
            session,
            number,
            packer.bytes.assumingMemoryBound(to: UInt8.self),
            packer.count,
            response.headers.fields.baseAddress,
            response.headers.count,
            response.body.isEmpty ? nil : ServerSession.readBody,
            Unmanaged.passUnretained(stream).toOpaque()
        )
        if failure != 0 || packer.isOverflowing {
            nghttp2_submit_rst_stream(session, 0, number, NGHTTP2_INTERNAL_ERROR.rawValue)
        }
    }

    private static func text(_ status: Int) -> String { status == 200 ? "200" : String(status) }

    func setMaxConcurrentStreams(_ limit: UInt32) {
        guard let link else { return }
        core.touch(self)
        busd_h2_setting(link.session, Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue), limit)
    }
}
