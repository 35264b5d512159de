// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPServer
import RESTBank
import Synchronization
import TestSupport
import Testing
import YAML

/// A bank's service that answers everything alike, and a link to it.
struct FakeBank {
    /// What arrived.
    final class Requests: Sendable {
        private let list = Mutex<[HTTPRequest]>([])
        var all: [HTTPRequest] { list.withLock { $0 } }
        func add(_ request: HTTPRequest) { list.withLock { $0.append(request) } }
    }

    let requests: Requests
    let link: RESTBankLink

    /// Runs `body` with a bank that answers so, and a link with these options.
    static func with<Result>(
        status: Int = 200,
        _ text: String = "",
        headers: [(name: String, value: String)] = [],
        options: String = "",
        _ body: (FakeBank) async throws -> Result
    ) async throws -> Result {
        let requests = Requests()
        let route = HTTPRoute(.below, path: "/bank", methods: ["POST"]) { request in
            requests.add(request)
            return HTTPResponse(
                status: status,
                contentType: "application/json",
                headers: headers,
                body: Array(text.utf8)
            )
        }
        let server = try HTTPServer(listen: ["127.0.0.1:0"], routes: [route])
        let port = try #require(server.addresses.first).port
        let bank = FakeBank(requests: requests, link: try makeLink("http://127.0.0.1:\(port)/bank", options))
        do {
            let result = try await body(bank)
            await server.stop(drain: .zero)
            return result
        } catch {
            await server.stop(drain: .zero)
            throw error
        }
    }

    static func makeLink(_ url: String, _ options: String = "") throws -> RESTBankLink {
        let node = try YAML.parse("url: \(url)\ntimeout: 50s\n" + options, file: "p.yaml")
        let log = Log(minimum: .error) { _, _, _ in }
        let context = ModuleContext(pipeline: "p", label: "rest_bank", log: log, intake: RecordingIntake(.done))
        return try RESTBankLink(settings: RESTBankLinkSettings.read(node), context: context)
    }
}

/// Tells an event and waits for what became of it.
func told(_ event: BankEvent, _ link: RESTBankLink) async -> Outcome {
    struct Sink: DeliverySink {
        let continuation: CheckedContinuation<Outcome, Never>
        func report(_ reports: [DeliveryReport]) {
            for report in reports where report.ticket == 7 { continuation.resume(returning: report.outcome) }
        }
    }
    return await withCheckedContinuation { link.send([event], to: Sink(continuation: $0)) }
}
