// SPDX-License-Identifier: Apache-2.0

/// How a server does TLS (1.2 or newer).
public struct HTTP2ServerTLS: Sendable {
    /// PEM certificate, then its chain.
    public var certificate: [UInt8]
    /// PEM key of the certificate.
    public var key: [UInt8]
    /// PEM roots of client certificates; where given, clients without a valid one are refused.
    public var clientRoots: [UInt8]
    /// Whether ALPN offers `h2`; a server that does not shows what clients do about it.
    public var offersHTTP2: Bool

    /// Describes the server's end of TLS.
    public init(certificate: [UInt8], key: [UInt8], clientRoots: [UInt8] = [], offersHTTP2: Bool = true) {
        self.certificate = certificate
        self.key = key
        self.clientRoots = clientRoots
        self.offersHTTP2 = offersHTTP2
    }
}

/// What a server listens on, and the limits it sets to clients.
public struct HTTP2ServerConfiguration: Sendable {
    /// The port; 0 lets the system choose.
    public var port: UInt16
    /// TLS; `nil` speaks in clear with prior knowledge.
    public var tls: HTTP2ServerTLS?
    /// Whether only this machine can connect.
    public var isLoopbackOnly = true
    /// SETTINGS_MAX_CONCURRENT_STREAMS of new connections.
    public var maxConcurrentStreams: UInt32 = 100
    /// How much of a request body is kept; the rest is read and dropped.
    public var bodyLimit = 64 * 1024
    /// Connections beyond this are closed at once.
    public var maxConnections = 1_024
    /// Receive window of each stream, in bytes.
    public var streamWindow: UInt32 = 65_535
    /// Receive window of each connection, in bytes; 65,535 at least (RFC 9113, 6.9.2).
    public var connectionWindow: Int32 = 1_048_576

    /// Describes a server; the rest has defaults.
    public init(port: UInt16 = 0, tls: HTTP2ServerTLS? = nil) {
        self.port = port
        self.tls = tls
    }
}
