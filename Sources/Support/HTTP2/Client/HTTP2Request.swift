// SPDX-License-Identifier: Apache-2.0

public import Bus

/// One POST for a pool to send.
public struct HTTP2Request: Sendable {
    /// The caller's name for the request; comes back with its result.
    public var tag: UInt64
    /// The `:path`; never indexed, for it differs in nearly every request.
    public var path: String
    /// Headers that many requests share.
    public var headers: HTTP2HeaderList
    /// Headers of this request alone, 16 KiB at most together with the path.
    public var ownHeaders: [HTTP2Header]
    /// The body; requests with equal bodies should share one array, which is never copied.
    public var body: [UInt8]
    /// Urgent requests go before all others, on every connection.
    public var isUrgent: Bool
    /// Whether it does no harm when the peer gets it twice, because it recognises the second one.
    ///
    /// Such a request that is urgent is tried on another connection as soon as its own answers nothing, or only
    /// errors; else the caller is told and decides.
    public var mayRepeat: Bool
    /// When the request is worthless.
    public var deadline: MonotonicTime

    /// Makes a request.
    public init(
        tag: UInt64,
        path: String,
        headers: HTTP2HeaderList = .empty,
        ownHeaders: [HTTP2Header] = [],
        body: [UInt8],
        isUrgent: Bool = false,
        mayRepeat: Bool = false,
        deadline: MonotonicTime
    ) {
        self.tag = tag
        self.path = path
        self.headers = headers
        self.ownHeaders = ownHeaders
        self.body = body
        self.isUrgent = isUrgent
        self.mayRepeat = mayRepeat
        self.deadline = deadline
    }
}
