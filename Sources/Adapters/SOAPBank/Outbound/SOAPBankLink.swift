// SPDX-License-Identifier: Apache-2.0

import BankService
public import Bus
import Crypto
import XML

/// Calls a bank's `SBIOutboundWebService`: tells it what became of notifications and asks about subscriptions.
public final class SOAPBankLink: BankLink {
    /// Its name in pipeline files.
    public static let name = "soap_bank"
    /// What `busd modules` says.
    public static let summary = "Tells a bank over SOAP what became of its notifications, and asks it about devices."

    /// The events this bank wants to hear.
    public let events: Set<BankEvent.Kind>
    /// Whether a notification that was sent and never confirmed is reported as expired.
    public let reportsUnconfirmed: Bool
    private let service: BankService
    private let namespace: String
    private let auth: BankAuthentication?

    /// Reads the files that the settings name, and reports what is wrong with them.
    public static func check(_ settings: SOAPBankLinkSettings, _ check: inout ModuleCheck) { settings.check(&check) }

    /// Makes the link; it connects when there is something to say.
    ///
    /// - Throws: an error where a file cannot be used any more that was fine at the check.
    public init(settings: SOAPBankLinkSettings, context: ModuleContext) throws {
        events = settings.service.events
        reportsUnconfirmed = settings.service.reportsUnconfirmed
        service = try BankService(settings.service, identity: settings.auth?.identity)
        namespace = settings.namespace
        auth = settings.auth
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
        let response = try await service.ask(headers: headers, body: envelope(BankCall(question)))
        return try BankVerdict.answer(to: question, response)
    }

    /// Connects to the bank, with TLS where its URL says so; returns what is wrong.
    public func probe() async -> String? { await service.probe() }

    /// The WSDL that a bank implements, for a service that is called at `address`.
    public static func outboundWSDL(address: String) -> String {
        WSDLWriter.text(of: .outbound(namespace: SOAPBankLinkSettings.usualNamespace), address: address)
    }

    private func tell(_ event: BankEvent) async -> Outcome {
        let call = BankCall(event)
        return await service.tell(headers: headers, body: envelope(call)) { response in
            BankVerdict.outcome(of: call.operation, response)
        }
    }

    private var headers: [(name: String, value: String)] {
        let always = [(name: "Content-Type", value: "text/xml; charset=utf-8"), (name: "SOAPAction", value: "\"\"")]
        guard case .basic(let credentials) = auth else { return always }
        return always + [(name: "Authorization", value: credentials.basicHeader)]
    }

    private func envelope(_ call: BankCall) -> [UInt8] {
        call.envelope(namespace: namespace) { writer in
            guard case .wsSecurity(let settings) = auth else { return }
            SecurityHeader(settings: settings).write(to: &writer, at: Int(WallTime.now().seconds))
        }
    }
}

extension Credentials {
    /// The header that shows them (RFC 7617).
    fileprivate var basicHeader: String { "Basic \(Base64.encode(Array("\(username):\(password.reveal())".utf8)))" }
}
