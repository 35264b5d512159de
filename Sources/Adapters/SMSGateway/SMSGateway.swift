// SPDX-License-Identifier: Apache-2.0

public import Bus
import HTTPClient
import PushService
import Threads

/// Sends text messages through a gateway that speaks Kannel's `sendsms` interface.
///
/// See the Kannel 1.4.5 user guide, "SMS Push". What the gateway would lose without a word (characters outside of
/// the alphabet, parts beyond its limit) is settled here before anything is sent. A message never reaches the gateway
/// twice: where it may have arrived, the outcome is unknown.
public final class SMSGateway: OutboundChannel {
    /// The name in pipeline files.
    public static let name = "sms_gateway"
    /// One sentence about it.
    public static let summary = "Sends text messages to phones through a Kannel gateway."
    /// It is the fallback for PIN codes.
    public static let isForPhones = true

    /// Phone numbers.
    public let reach = Reach.phones
    /// What the gateway's operator allows.
    public let rate: Double?
    /// How long pushes have before a text message is sent.
    public let fallbackDelay: Int64
    /// Where the gateway reports deliveries, if it is asked to.
    public let routes: [HTTPRoute]
    private let composer: MessageComposer
    private let writer: RequestWriter
    private let client: HTTPClient

    /// Reads the file that the settings name, and reports what is wrong.
    public static func check(_ settings: SMSGatewaySettings, _ check: inout ModuleCheck) {
        ProviderFile.checkAuthority(settings.ca, &check)
        guard !settings.url.isSecure, !settings.url.isLocal else { return }
        check.warning(at: settings.urlMark, "password and codes go to the gateway in clear text; use https://")
    }

    /// The path of the delivery reports.
    public static func paths(_ settings: SMSGatewaySettings) -> [String] { settings.reports.map { [$0.path] } ?? [] }

    /// Makes the channel; it connects when there is something to send.
    ///
    /// - Throws: an error where a file cannot be used any more that was fine at the check.
    public init(settings: SMSGatewaySettings, context: ModuleContext) throws {
        rate = settings.rate.map(Double.init)
        fallbackDelay = Int64(settings.after / .milliseconds(1))
        routes = settings.reports.map { [ReportDesk(intake: context.intake).route(at: $0.path)] } ?? []
        composer = MessageComposer(mostParts: settings.maxParts, country: settings.country)
        writer = RequestWriter(settings)
        let roots = try settings.ca.map(ProviderFile.read) ?? []
        // Its own client: a gateway that hangs holds up nobody else.
        client = HTTPClient(
            HTTPClientConfiguration(extraRoots: roots, waitingRequests: 10_000),
            name: "sms-gateway"
        )
    }

    /// Starts to send; returns at once.
    public func send(_ deliveries: [Delivery], to sink: any DeliverySink) {
        for delivery in deliveries {
            switch composer.compose(delivery) {
            case .failure(let fault):
                sink.report([DeliveryReport(ticket: delivery.ticket, outcome: .rejected(reason: fault.reason))])
            case .success(let message):
                Task { sink.report([DeliveryReport(ticket: delivery.ticket, outcome: await send(message, delivery))]) }
            }
        }
    }

    /// Asks the gateway to send nothing to nobody, which it refuses: by how it does one sees whether it knows us.
    public func probe() async -> String? {
        do throws(HTTPClientError) {
            return GatewayAnswer(try await client.send(writer.probe())).probeProblem
        } catch {
            return error.description
        }
    }

    private func send(_ message: TextMessage, _ delivery: Delivery) async -> Outcome {
        let now = MonotonicTime.now()
        guard delivery.deadline > now else {
            return .retry(after: nil, scope: .delivery, reason: "there was no time left to ask the gateway")
        }
        let left = Duration.nanoseconds(Int64(clamping: delivery.deadline.nanoseconds(since: now)))
        let request = writer.request(message, for: delivery, timeLimit: left, now: .now())
        do throws(HTTPClientError) {
            return GatewayAnswer(try await client.send(request)).outcome(now: .now())
        } catch {
            return GatewayAnswer.outcome(error)
        }
    }
}
