// SPDX-License-Identifier: Apache-2.0

public import Bus
import JSON
import NotificationJSON

/// A channel in any language: a program that reads one JSON object a line and writes one, or a service over HTTP.
public final class ExternalChannel: OutboundChannel {
    /// The name in pipeline files.
    public static let name = "external"
    /// One sentence about it.
    public static let summary = "Hands deliveries to a program in any language."

    /// The options.
    public struct Settings: ModuleSettings {
        let external: ExternalSettings
        let platforms: [Platform]

        /// Reads the options.
        public init(from reader: inout SettingsReader) {
            external = ExternalSettings(from: &reader)
            platforms = reader.optionalList(
                "platforms",
                "Whose devices it reaches.",
                default: Platform.allCases
            )
        }
    }

    /// The devices that its settings name.
    public let reach: Reach
    private let peer: any ExternalPeer

    /// Says which devices it reaches.
    public static func check(_ settings: Settings, _ check: inout ModuleCheck) { check.reach(Set(settings.platforms)) }

    /// Makes the channel; the program is started with the first delivery.
    public init(settings: Settings, context: ModuleContext) throws {
        reach = .devices(Set(settings.platforms))
        peer = settings.external.peer(label: context.label, log: context.log)
    }

    /// Starts to send; returns at once.
    public func send(_ deliveries: [Delivery], to sink: any DeliverySink) {
        for delivery in deliveries {
            Task { sink.report([DeliveryReport(ticket: delivery.ticket, outcome: await send(delivery))]) }
        }
    }

    private func send(_ delivery: Delivery) async -> Outcome {
        let result = await peer.ask { writer in
            writer.key("delivery")
            writer.beginObject()
            writer.key("notification")
            writer.beginObject()
            writer.members(of: delivery.notification.notification, recipients: [])
            writer.endObject()
            writer.key("messageId")
            writer.string(delivery.messageID.description)
            switch delivery.address {
            case .device(let device):
                writer.key("device")
                writer.beginObject()
                writer.member("app", device.app)
                writer.member("platform", device.platform.rawValue)
                writer.member("token", device.token)
                writer.endObject()
            case .phone(let phone):
                writer.key("phone")
                writer.string(phone)
            }
            writer.endObject()
        }
        switch result {
        case .success(let answer): return Self.outcome(answer)
        case .failure(let failure) where failure.isAmbiguous: return .unknown(reason: failure.reason)
        case .failure(let failure): return .retry(after: nil, scope: .provider, reason: failure.reason)
        }
    }

    private static func outcome(_ answer: JSONValue) -> Outcome {
        let said = answer["reason"]?.string.map { String($0.prefix(500)) } ?? ""
        let reason = said.isEmpty ? "the program gives no reason" : said
        switch answer["outcome"]?.string {
        case "accepted": return .accepted
        case "rejected": return .rejected(reason: reason)
        case "gone": return .gone(Outcome.Gone(since: nil, isAmbiguous: false, reason: reason))
        case "unavailable": return .unavailable(reason: reason)
        case "retry":
            let after = answer["after"]?.number.map { Int64(min(max(0, $0), 3_600) * 1_000) }
            return .retry(after: after, scope: after == nil ? .delivery : .provider, reason: reason)
        default:
            return .unknown(reason: "'outcome' must be accepted, retry, rejected, gone or unavailable")
        }
    }

    /// Starts the program, or connects to the service.
    public func probe() async -> String? { await peer.probe() }

    /// Ends the program when everything is answered.
    public func drain() async { await peer.stop() }
}
