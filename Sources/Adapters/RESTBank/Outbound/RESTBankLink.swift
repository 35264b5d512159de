// SPDX-License-Identifier: Apache-2.0

import BankService
public import Bus
import Crypto
import HTTPClient

/// Calls a bank's service with JSON: tells it what became of notifications and asks about subscriptions.
public final class RESTBankLink: BankLink {
    /// Its name in pipeline files.
    public static let name = "rest_bank"
    /// What `busd modules` says.
    public static let summary = "Tells a bank over REST what became of its notifications, and asks it about devices."

    /// The events this bank wants to hear.
    public let events: Set<BankEvent.Kind>
    /// Whether a notification that was sent and never confirmed is reported as expired.
    public let reportsUnconfirmed: Bool
    private let service: BankService
    private let key: [UInt8]?

    /// Reads the files that the settings name, and reports what is wrong with them.
    public static func check(_ settings: RESTBankLinkSettings, _ check: inout ModuleCheck) {
        settings.service.check(&check)
    }

    /// Makes the link; it connects when there is something to say.
    ///
    /// - Throws: an error where a file cannot be used any more that was fine at the check.
    public init(settings: RESTBankLinkSettings, context: ModuleContext) throws {
        events = settings.service.events
        reportsUnconfirmed = settings.service.reportsUnconfirmed
        service = try BankService(settings.service)
        key = settings.secret.map { Array($0.reveal().utf8) }
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
        let body = CallbackBody.question(question)
        let path = "/subscriptions/\(question.verb)"
        return try question.answer(in: try await service.ask(path, headers: headers(for: body), body: body))
    }

    /// Connects to the bank, with TLS where its URL says so; returns what is wrong.
    public func probe() async -> String? { await service.probe() }

    private func tell(_ event: BankEvent) async -> Outcome {
        let body = CallbackBody.event(event)
        return await service.tell(headers: headers(for: body), body: body) { response in
            BankService.outcome(response, reason: "the bank answered HTTP \(response.status)")
        }
    }

    private func headers(for body: [UInt8]) -> [(name: String, value: String)] {
        let type = (name: "Content-Type", value: "application/json")
        guard let key else { return [type] }
        let code = Hex.encode(HMACSHA256.code(for: body, key: key))
        return [type, (name: "X-Busd-Signature", value: "sha256=\(code)")]
    }
}
