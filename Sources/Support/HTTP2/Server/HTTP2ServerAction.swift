// SPDX-License-Identifier: Apache-2.0

/// An answer of a server.
public struct HTTP2ServerResponse: Sendable {
    /// The status, 200 to 599.
    public var status: Int
    /// Fields that many responses share.
    public var headers: HTTP2HeaderList
    /// Fields of this response alone.
    public var ownHeaders: [HTTP2Header]
    /// The body.
    public var body: [UInt8]

    /// Makes an answer.
    public init(
        _ status: Int,
        headers: HTTP2HeaderList = .empty,
        ownHeaders: [HTTP2Header] = [],
        body: [UInt8] = []
    ) {
        self.status = status
        self.headers = headers
        self.ownHeaders = ownHeaders
        self.body = body
    }
}

/// What a server does about a request, at once or later.
public indirect enum HTTP2ServerAction: Sendable {
    /// The last stream that a GOAWAY says may have been processed.
    public enum LastStream: Sendable, Equatable {
        /// The stream at hand: later ones are surely not processed.
        case current
        /// The one before: the stream at hand is surely not processed either.
        case beforeCurrent
        /// All that come until the next GOAWAY (RFC 9113, 6.8: a graceful shutdown begins so).
        case all
    }

    /// Answer.
    case respond(HTTP2ServerResponse)
    /// Do something after a while, in nanoseconds.
    case after(UInt64, HTTP2ServerAction)
    /// RST_STREAM with an error code (RFC 9113, 7).
    case reset(UInt32)
    /// GOAWAY; the connection ends once its streams are done.
    case goAway(LastStream, code: UInt32 = 0, debugData: [UInt8] = [])
    /// Change SETTINGS_MAX_CONCURRENT_STREAMS of this connection.
    case maxConcurrentStreams(UInt32)
    /// Cut the connection.
    case drop
    /// Say nothing, for now or for ever.
    case silent
    /// Several things in order.
    case all([HTTP2ServerAction])
}
