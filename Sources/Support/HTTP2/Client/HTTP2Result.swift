// SPDX-License-Identifier: Apache-2.0

/// What became of one request; every submitted request gets exactly one.
public struct HTTP2Result: Sendable {
    /// The tag of the request.
    public let tag: UInt64
    /// What became of it.
    public let outcome: HTTP2Outcome
}

/// The three ways a request can end.
public enum HTTP2Outcome: Sendable, Equatable {
    /// The peer answered.
    case response(HTTP2Response)
    /// The peer surely did not process the request, and it could not be sent in time.
    case unsent(HTTP2Failure)
    /// The request was written and no answer came: it may have been processed.
    ///
    /// The text says why.
    case unknown(String)
}

/// An answer.
public struct HTTP2Response: Sendable, Equatable {
    /// The final status, 200 to 999.
    public var status: Int
    /// Those of the wanted headers (``HTTP2PoolConfiguration/wantedHeaders``) that were present.
    public var headers: [HTTP2Header]
    /// The first 16 KiB of the body.
    public var body: [UInt8]
    /// Whether there was more body than is kept.
    public var isTruncated: Bool

    /// Makes an answer, for instance to test what is done about it.
    public init(status: Int, headers: [HTTP2Header] = [], body: [UInt8] = [], isTruncated: Bool = false) {
        self.status = status
        self.headers = headers
        self.body = body
        self.isTruncated = isTruncated
    }

    /// The value of a wanted header, by its lower-case name.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// Why something could not be sent, in words for an operator; never holds a token, a path or a body.
public struct HTTP2Failure: Error, Sendable, Equatable, CustomStringConvertible {
    /// What sort of obstacle it was.
    public enum Kind: Sendable, Equatable {
        /// The name did not resolve, or no address let us connect.
        case connect
        /// TLS failed: certificate, host name, ALPN or protocol.
        case tls
        /// The pool's queue is full.
        case overloaded
        /// The deadline passed before the request could be sent.
        case deadline
        /// The pool was closed.
        case closed
        /// The request cannot be put on the wire (a header with a line break, headers too large).
        case invalid
    }

    /// What sort of obstacle it was.
    public let kind: Kind
    /// One sentence.
    public let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
