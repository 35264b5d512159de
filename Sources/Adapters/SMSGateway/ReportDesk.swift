// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPClient

/// Takes the gateway's reports of what became of messages.
///
/// Anybody may call: what names a delivery cannot be guessed, and nothing else that is said is believed.
struct ReportDesk {
    private static let longestReference = 128

    let intake: any Intake

    /// The address that a gateway is given for one delivery; Kannel fills in `%d` (the kind) and `%A` (the SMSC's
    /// words).
    static func address(_ url: ServiceURL, _ reference: String) -> String {
        "\(url.text)?id=\(percentEncoded(reference))&type=%d&answer=%A"
    }

    func route(at path: String) -> HTTPRoute {
        HTTPRoute(.exact, path: path, methods: ["GET"], maximumBody: 0) { await answer($0) }
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard let reference = request.queryValue("id"), (1...Self.longestReference).contains(reference.utf8.count),
            let kind = request.queryValue("type").flatMap({ Int($0) })
        else { return HTTPResponse(status: 400, text: "a report needs id and type") }
        switch kind {
        case 1: return await report(reference, .delivered)
        case 2: return await report(reference, .undeliverable(reason: reason("undeliverable", request)))
        case 16: return await report(reference, .undeliverable(reason: reason("refused by the SMSC", request)))
        // On its way: a final report follows.
        case 4, 8: return HTTPResponse(status: 200)
        default: return HTTPResponse(status: 400, text: "there is no report of this type")
        }
    }

    private func report(_ reference: String, _ fate: GatewayReport.Fate) async -> HTTPResponse {
        switch await intake.submit(.gatewayReport(GatewayReport(reference: reference, fate: fate))) {
        case .notFound: HTTPResponse(status: 404, text: "no such delivery")
        case .overloaded(let seconds):
            HTTPResponse(status: 503, headers: [(name: "Retry-After", value: "\(seconds)")])
        case .failed, .unavailable: HTTPResponse(status: 503)
        default: HTTPResponse(status: 200)
        }
    }

    /// What the SMSC said, where it can be shown.
    private func reason(_ kind: String, _ request: HTTPRequest) -> String {
        let words = SMSCAnswer(request.queryValue("answer") ?? "").summary
        return words.isEmpty ? kind : "\(kind): \(words)"
    }
}
