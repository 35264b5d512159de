// SPDX-License-Identifier: Apache-2.0

public import Bus
import HTTP2
public import PushService
import Threads

/// Brings notifications to Android devices through Firebase Cloud Messaging, HTTP v1.
///
/// See Google's "FCM HTTP v1 API" and "Using OAuth 2.0 for server to server applications". What follows from an
/// answer for a delivery or a subscription is the bus's business.
public final class FCMChannel: PushChannel {
    /// The name in pipeline files.
    public static let name = "fcm"
    /// One sentence about it.
    public static let summary = "Sends to Android devices through Firebase Cloud Messaging."

    /// Devices that run Android.
    public let reach = Reach.devices([.android])
    /// A project's quota, 600,000 messages a minute, spread evenly: Google fills the minute's bucket as it empties.
    public let rate: Double? = 10_000
    /// What sends.
    public let courier: Courier<FCMProvider>

    /// Reads the files that the settings name, and reports what is wrong with them.
    public static func check(_ settings: FCMSettings, _ check: inout ModuleCheck) {
        check.reach([.android])
        settings.check(&check)
    }

    /// Makes the channel; it asks for an access token and connects when there is something to send.
    ///
    /// - Throws: an error where a file cannot be used any more that was fine at the check.
    public convenience init(settings: FCMSettings, context: ModuleContext) throws {
        try self.init(settings: settings, context: context, loop: .shared)
    }

    /// Makes a channel on a loop of the caller's, who may adjust the connections' limits.
    init(
        settings: FCMSettings,
        context: ModuleContext,
        loop: HTTP2Loop,
        adjust: (inout HTTP2PoolConfiguration) -> Void = { _ in }
    ) throws {
        let endpoint = settings.endpoint
        let credentials = try Credentials(settings, log: context.log)
        var configuration = HTTP2PoolConfiguration(
            to: endpoint,
            tls: HTTP2ClientTLS(extraRoots: credentials.roots),
            connections: settings.connections
        )
        configuration.startsCarefully = false
        adjust(&configuration)
        courier = try Courier(
            for: FCMProvider(token: credentials.token),
            on: loop,
            configuration,
            writer: RequestWriter(path: endpoint.path, project: credentials.project),
            log: context.log
        )
    }
}
