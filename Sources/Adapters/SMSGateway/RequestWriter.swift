// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPClient

/// Writes the calls of Kannel's `sendsms` interface.
struct RequestWriter {
    /// Delivered, undeliverable, refused by the SMSC: the last that is heard of a message.
    private static let finalReports = 1 + 2 + 16
    /// What a relative validity period can say at most (3GPP TS 23.040, 9.2.3.12.1): 63 weeks, in minutes.
    private static let longestValidity: Int64 = 635_040

    private let url: ServiceURL
    private let method: SMSGatewaySettings.Method
    private let account: [Parameter]
    private let sender: SenderName?
    private let reports: ServiceURL?
    private let timeout: Duration

    /// A parameter of the query, and the header field that stands for it in a POST.
    private struct Parameter {
        let name: String
        let field: String
        let value: String

        init(_ name: String, _ field: String, _ value: String) {
            self.name = name
            self.field = "X-Kannel-" + field
            self.value = value
        }
    }

    init(_ settings: SMSGatewaySettings) {
        url = settings.url
        method = settings.method
        account = [
            Parameter("username", "Username", settings.username),
            Parameter("password", "Password", settings.password.reveal()),
        ]
        sender = settings.sender
        reports = settings.reports
        timeout = settings.timeout
    }

    /// The call that sends a message.
    func request(
        _ message: TextMessage,
        for delivery: Delivery,
        timeLimit: Duration,
        now: WallTime
    ) -> HTTPClientRequest {
        var parameters = account
        parameters.append(Parameter("to", "To", message.number.international))
        if let sender { parameters.append(Parameter("from", "From", sender.text)) }
        parameters.append(Parameter("coding", "Coding", "\(message.alphabet.coding)"))
        let minutes = validity(until: delivery.notification.expiresAt, now: now)
        parameters.append(Parameter("validity", "Validity", "\(minutes)"))
        if let reports {
            parameters.append(Parameter("dlr-mask", "DLR-Mask", "\(Self.finalReports)"))
            parameters.append(Parameter("dlr-url", "DLR-Url", ReportDesk.address(reports, delivery.reference)))
        }
        var request = call(parameters, text: message.text)
        request.timeLimit = min(timeout, timeLimit)
        request.connectLimit = min(request.connectLimit, request.timeLimit)
        return request
    }

    /// A call that names no receiver, which every gateway must refuse.
    func probe() -> HTTPClientRequest {
        var request = call(account, text: nil)
        request.timeLimit = timeout
        return request
    }

    /// Minutes until the message is of no use any more, at least one.
    private func validity(until end: WallTime, now: WallTime) -> Int64 {
        min(
            max(1, end.milliseconds(since: now).addingReportingOverflow(59_999).partialValue / 60_000),
            Self.longestValidity
        )
    }

    private func call(_ parameters: [Parameter], text: String?) -> HTTPClientRequest {
        switch method {
        case .get:
            var query = parameters.map { "\($0.name)=\(percentEncoded($0.value))" }
            if let text { query += ["charset=UTF-8", "text=\(percentEncoded(text))"] }
            let separator = url.query == nil ? "?" : "&"
            return once(HTTPClientRequest(url: url.text + separator + query.joined(separator: "&")))
        case .post:
            var headers = parameters.map { (name: $0.field, value: $0.value) }
            headers.append((name: "Content-Type", value: "text/plain; charset=UTF-8"))
            let body = Array((text ?? "").utf8)
            return once(HTTPClientRequest(method: "POST", url: url.text, headers: headers, body: body))
        }
    }

    private func once(_ request: HTTPClientRequest) -> HTTPClientRequest {
        var request = request
        request.isSentOnce = true
        request.responseLimit = 16 << 10
        return request
    }
}

/// Percent-encodes all but the unreserved characters of RFC 3986 (2.3).
func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 3)
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            bytes.append(byte)
        default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}
