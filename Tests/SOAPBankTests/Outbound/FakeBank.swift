// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPServer
import SOAPBank
import Synchronization
import TestSupport
import Testing
import YAML

/// A bank's service that answers everything alike, and a link to it.
struct FakeBank {
    let requests: Requests
    let link: SOAPBankLink

    /// What arrived.
    final class Requests: Sendable {
        private let list = Mutex<[HTTPRequest]>([])
        var all: [HTTPRequest] { list.withLock { $0 } }
        func add(_ request: HTTPRequest) { list.withLock { $0.append(request) } }
        var body: String { all.last.map { String(decoding: $0.body, as: UTF8.self) } ?? "" }
    }

    /// Runs `body` with a bank that answers so, and a link with these options.
    static func with<Result>(
        status: Int = 200,
        _ text: String,
        bytes: [UInt8]? = nil,
        headers: [(name: String, value: String)] = [],
        type: String = "text/xml; charset=utf-8",
        options: String = "",
        _ body: (FakeBank) async throws -> Result
    ) async throws -> Result {
        let requests = Requests()
        let route = HTTPRoute(.exact, path: "/bank", methods: ["POST"]) { request in
            requests.add(request)
            let answer = bytes ?? Array(text.utf8)
            return HTTPResponse(status: status, contentType: type, headers: headers, body: answer)
        }
        let server = try HTTPServer(listen: ["127.0.0.1:0"], routes: [route])
        let port = try #require(server.addresses.first).port
        let bank = FakeBank(requests: requests, link: try makeLink(port: port, options))
        do {
            let result = try await body(bank)
            await server.stop(drain: .zero)
            return result
        } catch {
            await server.stop(drain: .zero)
            throw error
        }
    }

    static func makeLink(port: UInt16, _ options: String = "") throws -> SOAPBankLink {
        let node = try YAML.parse("url: http://127.0.0.1:\(port)/bank\n" + options, file: "p.yaml")
        let log = Log(minimum: .error) { _, _, _ in }
        let context = ModuleContext(pipeline: "p", label: "soap_bank", log: log, intake: RecordingIntake(.done))
        return try SOAPBankLink(settings: SOAPBankLinkSettings.read(node), context: context)
    }

    /// Tells an event and waits for what became of it.
    func outcome(of event: BankEvent) async -> Outcome { await told(event, link) }
}

/// Tells an event and waits for what became of it.
func told(_ event: BankEvent, _ link: SOAPBankLink) async -> Outcome {
    struct Sink: DeliverySink {
        let continuation: CheckedContinuation<Outcome, Never>
        func report(_ reports: [DeliveryReport]) {
            for report in reports { continuation.resume(returning: report.outcome) }
        }
    }
    return await withCheckedContinuation { link.send([event], to: Sink(continuation: $0)) }
}

/// Why a question got no answer; `nil` where it got one.
func failure(of question: SubscriptionQuestion, _ link: SOAPBankLink) async -> BankLinkError? {
    do {
        _ = try await link.ask(question)
        return nil
    } catch { return error as? BankLinkError }
}

let subject = SubscriptionSubject(bankClientID: "42", user: "Анна", deviceID: "VENDOR-1", platform: .ios)

extension BankEvent {
    init(_ kind: Kind, _ users: RecipientID...) {
        self.init(ticket: 7, kind: kind, notification: "n<1>", users: users, at: .epoch)
    }
}

/// A response, or a fault, as a bank writes it.
func answer(_ operation: String, _ inner: String, version: String = soap11) -> String {
    envelope("<b:\(operation)Response xmlns:b=\"urn:any\">\(inner)</b:\(operation)Response>", version: version)
}

func fault(_ code: String, _ text: String, detail: String = "") -> String {
    envelope("<s:Fault><faultcode>\(code)</faultcode><faultstring>\(text)</faultstring>\(detail)</s:Fault>")
}
