// SPDX-License-Identifier: Apache-2.0

/// The bounds of an ``HTTPServer``.
public struct HTTPServerOptions: Sendable {
    /// Connections on one address; further ones are closed; 4,096.
    public var connectionLimit = 4096
    /// Seconds without a byte in either direction before a connection is closed; 60.
    public var idleSeconds = 60
    /// Seconds a client may take to send a body; 120.
    public var bodySeconds = 120
    /// Bytes for one connection's headers and read buffer; 16 KiB.
    ///
    /// Longer headers get 431 or 414. libmicrohttpd clears this memory after every request, so more is not free.
    public var connectionMemory = 16 << 10
    /// Bytes of all bodies in memory together; 256 MiB.
    ///
    /// A request that would pass it gets 503.
    public var bodyMemory = 256 << 20
    /// Bytes of a too large body that are read and thrown away so that the client sees its 413; 64 MiB.
    ///
    /// A body announced as larger is refused before it is read, and the connection closed.
    public var discardLimit = 64 << 20

    /// Creates the default bounds.
    public init() {}
}
