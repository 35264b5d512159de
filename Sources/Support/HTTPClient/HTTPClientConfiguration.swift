// SPDX-License-Identifier: Apache-2.0

/// What all requests of an ``HTTPClient`` share.
public struct HTTPClientConfiguration: Sendable {
    /// A client's certificate and its key.
    public struct Identity: Sendable {
        /// The certificate and its chain, PEM.
        public var certificate: [UInt8]
        /// The private key, PEM; secret.
        public var key: [UInt8]

        /// Pairs a certificate with its key.
        public init(certificate: [UInt8], key: [UInt8]) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// PEM roots that are trusted beside the system's; empty for none.
    public var extraRoots: [UInt8]
    /// What the client shows to a server that asks who it is.
    public var identity: Identity?
    /// Requests on the wire at once, each with a connection of its own at HTTP/1.1.
    public var concurrentRequests: Int
    /// Requests that wait for their turn; one more fails at once.
    public var waitingRequests: Int
    /// Whether `http_proxy` and its like in the environment count.
    public var usesEnvironmentProxy: Bool

    /// Describes a client.
    public init(
        extraRoots: [UInt8] = [],
        identity: Identity? = nil,
        concurrentRequests: Int = 64,
        waitingRequests: Int = 1_000,
        usesEnvironmentProxy: Bool = false
    ) {
        self.extraRoots = extraRoots
        self.identity = identity
        self.concurrentRequests = max(1, concurrentRequests)
        self.waitingRequests = max(0, waitingRequests)
        self.usesEnvironmentProxy = usesEnvironmentProxy
    }
}
