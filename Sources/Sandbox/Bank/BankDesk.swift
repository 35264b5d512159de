// SPDX-License-Identifier: Apache-2.0

import XML

/// The bank stand-in without a network: calls in, answers out.
///
/// It is strict: a call must have exactly the fields that the original documentation gives it, in its order.
struct BankDesk {
    static let namespace: StaticString = "http://outbound.sbi.pigeon.idamobile.com/"

    private static let fields: [String: [String]] = [
        "checkSubscriptionAuthorized": ["bankClientId", "userId", "deviceId", "platform"],
        "authorizeSubscription": ["bankClientId", "userId", "deviceId", "platform"],
        "verifySubscriptionAuthorization": ["bankClientId", "userId", "deviceId", "verificationCode"],
        "reportNotificationExpired": ["userId", "notificationId"],
        "pushIsOpened": ["userId", "notificationId"],
        "pushIsDelivered": ["userId", "notificationId"],
        "reportNotificationFailed": ["userId", "notificationId"],
    ]
    /// Those that may name several users.
    private static let gathering: Set<String> = ["reportNotificationExpired", "reportNotificationFailed"]

    /// What a call is answered with.
    enum Answer: Equatable {
        /// A response; `nil` where it is empty.
        case result(name: String, value: String)
        case done
        case fault(code: String, text: String, status: Int)
        case unknownClient
        /// An answer that is no SOAP.
        case status(Int)
    }

    var script = BankScript()
    var calls: RecordRing<BankCall>

    init(capacity: Int) { calls = RecordRing(capacity: capacity) }

    /// Answers a call and records it.
    mutating func answer(_ call: BankCall) -> Answer {
        let answer = decide(call)
        var call = call
        call.answer = answer.label
        calls.append(call)
        return answer
    }

    private mutating func decide(_ call: BankCall) -> Answer {
        guard var wanted = Self.fields[call.operation], call.namespace == "\(Self.namespace)" else {
            return .fault(code: "Client", text: "there is no such operation", status: 500)
        }
        if let failure = script.takeFailure(for: call.operation) {
            guard let code = failure.fault else { return .status(failure.status) }
            return .fault(code: code, text: "as the script says", status: failure.status)
        }
        if Self.gathering.contains(call.operation) {
            wanted = Array(repeating: "userId", count: max(1, call.fields.count - 1)) + ["notificationId"]
        }
        guard call.fields.map(\.name) == wanted, call.fields.allSatisfy({ !$0.value.isEmpty }) else {
            return .fault(code: "Client", text: "the fields are not as documented", status: 500)
        }
        return result(of: call)
    }

    private mutating func result(of call: BankCall) -> Answer {
        guard let user = call["userId"] else { return .done }
        if let client = call["bankClientId"], script.unknownClients.contains(client) { return .unknownClient }
        switch call.operation {
        case "checkSubscriptionAuthorized":
            return .result(name: "authorized", value: script.authorized.contains(user) ? "true" : "false")
        case "authorizeSubscription":
            return .result(name: "result", value: script.refused.contains(user) ? "ERROR" : "OK")
        case "verifySubscriptionAuthorization":
            guard call["verificationCode"] == script.code else {
                return .result(name: "result", value: "VERIFICATION_FAILED")
            }
            script.authorized.insert(user)
            return .result(name: "result", value: "OK")
        default: return .done
        }
    }
}

extension BankDesk.Answer {
    /// What a record says of it.
    var label: String {
        switch self {
        case .result(_, let value): value
        case .done: "done"
        case .fault(let code, _, _): "Fault \(code)"
        case .unknownClient: "BankClientNotExistsException"
        case .status(let status): "\(status)"
        }
    }

    /// The HTTP status.
    var status: Int {
        switch self {
        case .result, .done: 200
        case .fault(_, _, let status), .status(let status): status
        case .unknownClient: 500
        }
    }

    /// The answer's SOAP; empty where it is none.
    func body(operation: String) -> [UInt8] {
        if case .status = self { return [] }
        var writer = XMLWriter()
        writer.markup("<?xml version=\"1.0\" encoding=\"UTF-8\"?><soap:Envelope xmlns:soap=\"")
        writer.markup("http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body>")
        switch self {
        case .result, .done: writeResponse(operation, to: &writer)
        case .fault(let code, let text, _): writeFault(code, text, to: &writer)
        case .unknownClient: writeFault("Server", "there is no such client", isException: true, to: &writer)
        case .status: break
        }
        writer.markup("</soap:Body></soap:Envelope>")
        return writer.bytes
    }

    private func writeResponse(_ operation: String, to writer: inout XMLWriter) {
        writer.markup("<ns2:")
        writer.text(operation)
        writer.markup("Response xmlns:ns2=\"")
        writer.markup(BankDesk.namespace)
        writer.markup("\">")
        if case .result(let name, let value) = self {
            writer.markup("<return>")
            if name == "authorized" { writer.element("authorized", value) } else { writer.element("result", value) }
            writer.markup("</return>")
        }
        writer.markup("</ns2:")
        writer.text(operation)
        writer.markup("Response>")
    }

    private func writeFault(_ code: String, _ text: String, isException: Bool = false, to writer: inout XMLWriter) {
        writer.markup("<soap:Fault>")
        writer.element("faultcode", "soap:\(code)")
        writer.element("faultstring", text)
        if isException {
            writer.markup("<detail><ns2:BankClientNotExistsException xmlns:ns2=\"")
            writer.markup(BankDesk.namespace)
            writer.markup("\"/></detail>")
        }
        writer.markup("</soap:Fault>")
    }
}
