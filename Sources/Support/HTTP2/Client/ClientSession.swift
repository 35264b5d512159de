// SPDX-License-Identifier: Apache-2.0

internal import CNGHTTP2

/// nghttp2 for the client's end: the C callbacks, and nothing else.
///
/// nghttp2 forbids deleting the session inside a callback, so callbacks only note what happened.
enum ClientSession {
    private static let streamWindow: UInt32 = 256 * 1024
    private static let connectionWindow: Int32 = 16 * 1024 * 1024

    /// A session whose callbacks reach `connection`, which must outlive it.
    static func make(for connection: ClientConnection) -> OpaquePointer? {
        var callbacks: OpaquePointer?
        var options: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&options) == 0 else { return nil }
        defer {
            nghttp2_session_callbacks_del(callbacks)
            nghttp2_option_del(options)
        }
        // Closed streams are kept for priorities only, which nobody uses.
        nghttp2_option_set_no_closed_streams(options, 1)
        set(callbacks)
        var session: OpaquePointer?
        let context = Unmanaged.passUnretained(connection).toOpaque()
        guard nghttp2_session_client_new2(&session, callbacks, context, options) == 0, let session else { return nil }
        let firstStream = connection.pool.configuration.firstStream
        guard busd_h2_begin(session, 0, streamWindow, connectionWindow, 1) == 0,
            firstStream == 1 || nghttp2_session_set_next_stream_id(session, firstStream) == 0
        else {
            nghttp2_session_del(session)
            return nil
        }
        return session
    }

    private static func set(_ callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_header_callback(callbacks, onHeader)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, onData)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, onFrame)
        nghttp2_session_callbacks_set_before_frame_send_callback(callbacks, beforeSend)
        nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks, onNotSent)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, onClose)
    }

    private static func connection(_ context: UnsafeMutableRawPointer?) -> ClientConnection? {
        context.map { Unmanaged<ClientConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func exchange(_ session: OpaquePointer?, _ stream: Int32) -> Exchange? {
        nghttp2_session_get_stream_user_data(session, stream).map {
            Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue()
        }
    }

    private static let onHeader: nghttp2_on_header_callback = {
        session,
        frame,
        name,
        nameLength,
        value,
        length,
        _,
        context in
        guard let frame, let exchange = exchange(session, frame.pointee.hd.stream_id) else { return 0 }
        let name = UnsafeBufferPointer(start: name, count: nameLength)
        let value = UnsafeBufferPointer(start: value, count: length)
        connection(context)?.receive(name, value, for: exchange)
        return 0
    }

    private static let onData: nghttp2_on_data_chunk_recv_callback = { session, _, stream, data, length, context in
        guard let exchange = exchange(session, stream) else { return 0 }
        connection(context)?.receive(UnsafeBufferPointer(start: data, count: length), for: exchange)
        return 0
    }

    private static let onFrame: nghttp2_on_frame_recv_callback = { _, frame, context in
        guard let frame, let connection = connection(context) else { return 0 }
        switch UInt32(frame.pointee.hd.type) {
        case NGHTTP2_SETTINGS.rawValue:
            if UInt32(frame.pointee.hd.flags) & NGHTTP2_FLAG_ACK.rawValue == 0 { connection.receiveSettings() }
        case NGHTTP2_GOAWAY.rawValue: connection.receiveGoAway(frame.pointee.goaway)
        default: break
        }
        return 0
    }

    private static let beforeSend: nghttp2_before_frame_send_callback = { session, frame, _ in
        guard let frame, UInt32(frame.pointee.hd.type) == NGHTTP2_HEADERS.rawValue else { return 0 }
        exchange(session, frame.pointee.hd.stream_id)?.isWritten = true
        return 0
    }

    /// A request that was submitted but could not be sent any more, for instance after GOAWAY.
    private static let onNotSent: nghttp2_on_frame_not_send_callback = { session, frame, _, context in
        guard let frame, UInt32(frame.pointee.hd.type) == NGHTTP2_HEADERS.rawValue else { return 0 }
        connection(context)?.couldNotSend(stream: frame.pointee.hd.stream_id)
        return 0
    }

    private static let onClose: nghttp2_on_stream_close_callback = { session, stream, code, context in
        guard let exchange = exchange(session, stream) else { return 0 }
        connection(context)?.closed(exchange, code: code)
        return 0
    }

    /// Gives nghttp2 the next bytes of a body.
    static let readBody: nghttp2_data_source_read_callback = { _, _, buffer, length, flags, source, context in
        guard let raw = source?.pointee.ptr, let buffer, let flags else {
            return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        let exchange = Unmanaged<Exchange>.fromOpaque(raw).takeUnretainedValue()
        let count = min(length, exchange.bodyCount - exchange.bodySent)
        exchange.request.body.withUnsafeBufferPointer { body in
            if let base = body.baseAddress { buffer.update(from: base + exchange.bodySent, count: count) }
        }
        exchange.bodySent += count
        connection(context)?.unsentBody -= count
        if exchange.bodySent == exchange.bodyCount { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return count
    }
}
