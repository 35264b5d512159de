// SPDX-License-Identifier: Apache-2.0

public import Bus
import HTTP2
public import PushService

/// Brings notifications to iOS devices through the Apple Push Notification service.
///
/// See Apple's "Sending notification requests to APNs". The channel keeps what Apple asks of a provider's
/// connections and tokens; what follows from an answer for a delivery or a subscription is the bus's business.
public final class APNsChannel: PushChannel {
    /// The name in pipeline files.
    public static let name = "apns"
    /// One sentence about it.
    public static let summary = "Sends to iOS devices through Apple's push service."

    /// Devices that run iOS.
    public let reach = Reach.devices([.ios])
    /// What sends.
    public let courier: Courier<APNsProvider>

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
            to: endpoint,
            tls: credentials.tls,
            connections: settings.connections
        )
        adjust(&configuration)
        courier = try Courier(
            for: APNsProvider(token: credentials.token),
            on: loop,
            configuration,
            writer: RequestWriter(path: endpoint.path, topic: credentials.topic),
            log: context.log
        )
    }
}
