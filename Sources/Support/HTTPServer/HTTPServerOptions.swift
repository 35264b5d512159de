// SPDX-License-Identifier: Apache-2.0

/// The bounds of an ``HTTPServer``.
public struct HTTPServerOptions: Sendable {
    /// Connections on one address to listen on; 4,096.
    ///
    /// An eighth of them is for clients that hold few. Beyond it, the client that holds the most gives way: of its
    /// connections the one that has waited longest for it is closed, first of those that never brought a request.
    public var connectionLimit = 4096
    /// Connections of one client's address, or of one IPv6 network of 64 bits; 512.
    ///
    /// This machine's own addresses have no such bound: a proxy there speaks for many.
    public var connectionsPerClient = 512
    /// Seconds without a byte in either direction before a connection is closed; 60.
    public var idleSeconds = 60
    /// Seconds a client may take to send a request's head, from its first byte; 10.
    public var headSeconds = 10
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

    /// Milliseconds that a part of a listener may be silent before it counts as dead.
    var silence: Int64 = 5_000

    /// Creates the default bounds.
    public init() {}

    /// The same bounds where the process may open only so many descriptors: some are for other things.
    func within(descriptors: UInt64) -> Self {
        var options = self
        options.connectionLimit = max(1, min(connectionLimit, Int(clamping: descriptors) / 4 * 3))
        return options
    }

    var connectionLimits: ConnectionLimits {
        ConnectionLimits(
            all: connectionLimit,
            perAddress: connectionsPerClient,
            memory: connectionMemory,
            idleSeconds: Int64(idleSeconds),
            headSeconds: Int64(headSeconds),
            bodySeconds: Int64(bodySeconds)
        )
    }
}
