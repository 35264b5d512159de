// SPDX-License-Identifier: Apache-2.0

public import Bus
import Crypto
import HTTPClient
import Threads
import XML

/// Calls a bank's `SBIOutboundWebService`: tells it what became of notifications and asks about subscriptions.
public final class SOAPBankLink: BankLink {
    /// Its name in pipeline files.
    public static let name = "soap_bank"
    /// What `busd modules` says.
    public static let summary = "Tells a bank over SOAP what became of its notifications, and asks it about devices."
    private static let largestAnswer = 256 << 10

    /// The events this bank wants to hear.
    public let events: Set<BankEvent.Kind>
    /// Whether it hears `expired` also of what was sent and not confirmed by a receipt within its timeout.
    public let reportsUnconfirmed: Bool
    private let url: String
    private let namespace: String
    private let timeout: Duration
    private let auth: BankAuthentication?
    // Apart, so that nobody who registers waits behind events that a slow bank holds up.
    private let asking: HTTPClient
    private let telling: HTTPClient

    /// Reads the files that the settings name, and reports what is wrong with them.
    public static func check(_ settings: SOAPBankLinkSettings, _ check: inout ModuleCheck) { settings.check(&check) }

    /// Makes the link; it connects when there is something to say.
    ///
    /// - Throws: an error where a file cannot be used any more that was fine at the check.
    public init(settings: SOAPBankLinkSettings, context: ModuleContext) throws {
        events = Set(settings.events.map(\.kind))
        reportsUnconfirmed = settings.reportsUnconfirmed
        url = settings.url
        namespace = settings.namespace
        timeout = settings.timeout
        auth = settings.auth
        let trust = try BankTrust(settings)
        asking = HTTPClient(trust.configuration(concurrent: 64, waiting: 1_000), name: "bank-ask")
        telling = HTTPClient(trust.configuration(concurrent: 16, waiting: 10_000), name: "bank-tell")
    }

    /// Starts to tell the bank; returns at once.
    public func send(_ events: [BankEvent], to sink: any DeliverySink) {
        for event in events {
            Task {
                let outcome = await tell(event)
                sink.report([DeliveryReport(ticket: event.ticket, outcome: outcome)])
            }
        }
    }

    /// Asks the bank one of the three questions of a registration.
    ///
    /// - Throws: ``BankLinkError``.
    public func ask(_ question: SubscriptionQuestion) async throws -> Bool {
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            // Twice would be two text messages to the customer, or a code that is spent.
            response = try await asking.send(request(BankCall(question), isSentOnce: true))
        } catch {
            throw BankLinkError.unreachable(error.description)
        }
        return try BankVerdict.answer(to: question, response)
    }

    /// The WSDL that a bank implements, for a service that is called at `address`.
    public static func outboundWSDL(address: String) -> String {
        OutboundWSDL.text(address: address, namespace: SOAPBankLinkSettings.usualNamespace)
    }

    private func tell(_ event: BankEvent) async -> Outcome {
        do throws(HTTPClientError) {
            let response = try await telling.send(request(BankCall(event), isSentOnce: false))
            return BankVerdict.outcome(response, now: Clock.wallMilliseconds())
        } catch {
            return BankVerdict.outcome(error)
        }
    }

    private func request(_ call: BankCall, isSentOnce: Bool) -> HTTPClientRequest {
        var headers = [(name: "Content-Type", value: "text/xml; charset=utf-8"), (name: "SOAPAction", value: "\"\"")]
        if case .basic(let credentials) = auth { headers.append(("Authorization", credentials.basicHeader)) }
        let body = call.envelope(namespace: namespace) { writer in
            guard case .wsSecurity(let settings) = auth else { return }
            let now = Int(Clock.wallMilliseconds() / 1000)
            SecurityHeader(settings: settings).write(to: &writer, at: now)
        }
        return HTTPClientRequest(
            method: "POST",
            url: url,
            headers: headers,
            body: body,
            connectLimit: min(timeout, .seconds(10)),
            timeLimit: timeout,
            responseLimit: Self.largestAnswer,
            isSentOnce: isSentOnce
        )
    }
}

extension Credentials {
    /// The header that shows them (RFC 7617).
    fileprivate var basicHeader: String { "Basic \(Base64.encode(Array("\(username):\(password.reveal())".utf8)))" }
}
