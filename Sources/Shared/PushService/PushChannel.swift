// SPDX-License-Identifier: Apache-2.0

public import Bus
public import HTTP2

/// A channel whose deliveries a ``Courier`` takes to a provider.
public protocol PushChannel: OutboundChannel {
    /// The provider's own part.
    associatedtype Provider: PushProvider
    /// What does the work.
    var courier: Courier<Provider> { get }
}

extension PushChannel {
    /// Starts to send; returns at once.
    public func send(_ deliveries: [Delivery], to sink: any DeliverySink) { courier.send(deliveries, to: sink) }
    /// Gets a credential, and connects without a request.
    public func probe() async -> String? { await courier.probe() }
    /// Waits until the channel is drained; cancelling it cuts the connections.
    public func run() async throws { await courier.run() }
    /// Sends nothing new; what is on its way is still waited for.
    public func drain() async { courier.drain() }
}

extension HTTP2PoolConfiguration {
    /// Connections to a provider: at most so many, over TLS where its URL says so.
    public init(to endpoint: BaseURL, tls: HTTP2ClientTLS, connections: Int) {
        self.init(host: endpoint.host, port: endpoint.port, tls: endpoint.isSecure ? tls : nil)
        wantedHeaders = ["retry-after"]
        wantedHeadersOfErrors = ["date"]
        maxConnections = connections
    }
}
