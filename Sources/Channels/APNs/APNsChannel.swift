// SPDX-License-Identifier: Apache-2.0

public import Bus
import HTTP2
import PushService

/// Brings notifications to iOS devices through the Apple Push Notification service.
///
/// See Apple's "Sending notification requests to APNs". The channel keeps what Apple asks of a provider's
/// connections and tokens; what follows from an answer for a delivery or a subscription is the bus's business.
public final class APNsChannel: OutboundChannel {
    /// The name in pipeline files.
    public static let name = "apns"
    /// One sentence about it.
    public static let summary = "Sends to iOS devices through Apple's push service."

    /// Devices that run iOS.
    public let reach = Reach.devices([.ios])
    private let courier: Courier

    /// Reads the files that the settings name, and reports what is wrong with them.
    public static func check(_ settings: APNsSettings, _ check: inout ModuleCheck) {
        check.reach([.ios])
        settings.check(&check, now: .now())
    }

    /// Makes the channel; it connects when there is something to send.
    ///
    /// - Throws: an error where a file cannot be used any more that was fine at the check.
    public convenience init(settings: APNsSettings, context: ModuleContext) throws {
        try self.init(settings: settings, context: context, loop: .shared)
    }

    /// Makes a channel on a loop of the caller's, who may adjust the connections' limits.
    init(
        settings: APNsSettings,
        context: ModuleContext,
        loop: HTTP2Loop,
        adjust: (inout HTTP2PoolConfiguration) -> Void = { _ in }
    ) throws {
        let endpoint = settings.endpoint.base
        let credentials = try Credentials(settings)
        var configuration = HTTP2PoolConfiguration(
            host: endpoint.host,
            port: endpoint.port,
            tls: endpoint.isSecure ? credentials.tls : nil
        )
        configuration.wantedHeaders = ["retry-after"]
        configuration.wantedHeadersOfErrors = ["date"]
        configuration.maxConnections = settings.connections
        adjust(&configuration)
        courier = try Courier(
            on: loop,
            configuration,
            token: credentials.token,
            writer: RequestWriter(path: endpoint.path, topic: credentials.topic),
            log: context.log
        )
    }

    /// Starts to send; returns at once.
    public func send(_ deliveries: [Delivery], to sink: any DeliverySink) { courier.send(deliveries, to: sink) }

    /// Connects to APNs, without a request.
    public func probe() async -> String? { await courier.probe() }

    /// Waits until the channel is drained; cancelling it cuts the connections.
    public func run() async throws { await courier.run() }

    /// Sends nothing new; what is on its way is still waited for.
    public func drain() async { courier.drain() }
}
