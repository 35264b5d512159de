// SPDX-License-Identifier: Apache-2.0

internal import CNGHTTP2
internal import Synchronization

/// nghttp2 for the server's end: the C callbacks, and nothing else.
enum ServerSession {
    static func make(
        for connection: ServerConnection,
        _ configuration: HTTP2ServerConfiguration,
        streams: UInt32
    )
        -> OpaquePointer?
    {
        var callbacks: OpaquePointer?
        var options: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&options) == 0 else { return nil }
        defer {
            nghttp2_session_callbacks_del(callbacks)
            nghttp2_option_del(options)
        }
        nghttp2_option_set_no_closed_streams(options, 1)
        set(callbacks)
        var session: OpaquePointer?
        let context = Unmanaged.passUnretained(connection).toOpaque()
        guard nghttp2_session_server_new2(&session, callbacks, context, options) == 0, let session else { return nil }
        guard busd_h2_begin(session, streams, configuration.streamWindow, configuration.connectionWindow, 0) == 0 else {
            nghttp2_session_del(session)
            return nil
        }
        return session
    }

    private static func set(_ callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, onBegin)
        nghttp2_session_callbacks_set_on_header_callback(callbacks, onHeader)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, onData)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, onFrame)
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, onInvalid)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, onClose)
    }

    private static func connection(_ context: UnsafeMutableRawPointer?) -> ServerConnection? {
        context.map { Unmanaged<ServerConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func stream(_ session: OpaquePointer?, _ number: Int32) -> ServerStream? {
        nghttp2_session_get_stream_user_data(session, number).map {
            Unmanaged<ServerStream>.fromOpaque($0).takeUnretainedValue()
        }
    }

    private static let onBegin: nghttp2_on_begin_headers_callback = { session, frame, context in
        guard let frame, frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST else { return 0 }
        let number = frame.pointee.hd.stream_id
        guard let stream = connection(context)?.begin(number) else { return 0 }
        return nghttp2_session_set_stream_user_data(session, number, Unmanaged.passUnretained(stream).toOpaque())
    }

    private static let onHeader: nghttp2_on_header_callback = {
        session,
        frame,
        name,
        nameLength,
        value,
        length,
        flags,
        _ in
        guard let frame, let stream = stream(session, frame.pointee.hd.stream_id) else { return 0 }
        stream.fields.append(
            UnsafeBufferPointer(start: name, count: nameLength),
            UnsafeBufferPointer(start: value, count: length),
            isIndexed: UInt32(flags) & NGHTTP2_NV_FLAG_NO_INDEX.rawValue == 0
        )
        return 0
    }

    private static let onData: nghttp2_on_data_chunk_recv_callback = { session, _, number, data, length, context in
        guard let stream = stream(session, number), let connection = connection(context) else { return 0 }
        connection.receive(UnsafeBufferPointer(start: data, count: length), on: stream)
        return 0
    }

    private static let onFrame: nghttp2_on_frame_recv_callback = { session, frame, context in
        guard let frame else { return 0 }
        let head = frame.pointee.hd
        guard UInt32(head.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0 else { return 0 }
        guard head.type == NGHTTP2_HEADERS.rawValue || head.type == NGHTTP2_DATA.rawValue else { return 0 }
        guard let stream = stream(session, head.stream_id) else { return 0 }
        connection(context)?.complete(stream)
        return 0
    }

    /// Streams refused while a lower limit is not yet acknowledged are nobody's fault.
    private static let onInvalid: nghttp2_on_invalid_frame_recv_callback = { _, _, code, context in
        guard code != NGHTTP2_ERR_REFUSED_STREAM.rawValue else { return 0 }
        connection(context)?.core.counts.protocolErrors.add(1, ordering: .relaxed)
        return 0
    }

    private static let onClose: nghttp2_on_stream_close_callback = { _, number, _, context in
        connection(context)?.ended(number)
        return 0
    }

    /// Gives nghttp2 the next bytes of a response's body.
    static let readBody: nghttp2_data_source_read_callback = { _, _, buffer, length, flags, source, _ in
        guard let raw = source?.pointee.ptr, let buffer, let flags else {
            return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        let stream = Unmanaged<ServerStream>.fromOpaque(raw).takeUnretainedValue()
        let body = stream.response?.body ?? []
        let count = min(length, body.count - stream.bodySent)
        body.withUnsafeBufferPointer { body in
            if let base = body.baseAddress { buffer.update(from: base + stream.bodySent, count: count) }
        }
        stream.bodySent += count
        if stream.bodySent == body.count { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return count
    }
}
