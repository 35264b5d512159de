// SPDX-License-Identifier: Apache-2.0

import Unicode
import XML

/// Follows an answer's document: the result stands in `return`, or directly in the response.
///
/// Names are compared without their capitals: .NET's services write `Authorized` and `BankClientNotExistsException`
/// as their authors like.
final class BankAnswerReader: XMLHandler {
    private static let exception = "bankclientnotexistsexception"
    private static let longest = 8 << 10

    private let operation: BankCall.Operation
    private let field: String
    private let isResolved: Bool
    private var depth = 0
    private var hasBody = false
    private var isInBody = false
    private var hasResponse = false
    /// Whether the Body holds what we sent: an echo, and no answer.
    private var isEcho = false
    private var fault: BankAnswer.Fault?
    private var wanted: String?
    private var returned: String?
    /// Whether the element that ends next is the one begun last, and so has no parts.
    private var isLeaf = false
    private var name = ""
    private var text: [UInt8] = []

    init(operation: BankCall.Operation, field: StaticString, isResolved: Bool = false) {
        self.operation = operation
        self.field = "\(field)".lowercased()
        self.isResolved = isResolved
    }

    private init(_ other: BankAnswerReader) {
        operation = other.operation
        field = other.field
        isResolved = true
    }

    /// A reader of the same answer, in which references were put in their places.
    var forResolved: BankAnswerReader { BankAnswerReader(self) }

    /// What was read.
    var answer: BankAnswer {
        get throws(BankAnswer.NotSOAP) {
            if let fault { return .fault(fault) }
            guard hasBody, !isEcho else { throw BankAnswer.NotSOAP(kind: .otherXML) }
            return .response(wanted ?? returned)
        }
    }

    func startElement(_ name: XMLName, _ attributes: XMLAttributes) throws {
        depth += 1
        self.name = String(decoding: name.local, as: UTF8.self).lowercased()
        switch depth {
        case 1:
            guard name.isLocal("Envelope"), SOAPVersion(envelope: name) != nil else {
                throw BankAnswer.NotSOAP(kind: self.name == "html" ? .html : .otherXML)
            }
        case 2:
            isInBody = name.isLocal("Body")
            hasBody = hasBody || isInBody
        case 3 where isInBody && !hasResponse && fault == nil: enterBody(name)
        default: break
        }
        if depth > 3, isInBody { try note(attributes) }
        isLeaf = true
        text.removeAll(keepingCapacity: true)
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if depth > 3, isInBody, text.count < Self.longest { text.append(contentsOf: bytes) }
    }

    func endElement() {
        if isLeaf, depth > 3, isInBody {
            let value = trimmed(String(decoding: text, as: UTF8.self))
            if fault == nil { keep(value) } else { classify(value) }
        }
        isLeaf = false
        depth -= 1
    }

    private func enterBody(_ name: XMLName) {
        if name.isLocal("Fault") {
            fault = .server
        } else {
            hasResponse = true
            isEcho = name.isLocal(operation.name)
        }
    }

    /// The exception may be an element or the type of one, in a fault's detail or in the response.
    private func note(_ attributes: XMLAttributes) throws {
        if name == Self.exception { fault = .unknownClient }
        guard attributes.count > 0 else { return }
        if !isResolved, SOAPEncoding.isReference(attributes) { throw NeedsResolving() }
        let type = attributes.value("type", namespace: SOAPEncoding.instance)
        let local = type?.split(separator: UInt8(ascii: ":")).last.map { String(decoding: $0, as: UTF8.self) }
        if local.map(trimmed)?.lowercased() == Self.exception { fault = .unknownClient }
    }

    private func keep(_ value: String) {
        guard !value.isEmpty else { return }
        if wanted == nil, name == field { wanted = value }
        // CXF and PHP, .NET, Axis.
        let usual = ["return", "\(operation.name)result".lowercased(), "\(operation.name)return".lowercased()]
        if returned == nil, usual.contains(name) { returned = value }
    }

    private func classify(_ value: String) {
        if value.lowercased().contains(Self.exception) { fault = .unknownClient }
        guard fault != .unknownClient, name == "faultcode" || name == "value" else { return }
        // A code may name a wider and a narrower one, and a subcode says more than its code.
        switch Self.kind(of: value) {
        case .security?: fault = .security
        case .client? where fault == .server: fault = .client
        default: break
        }
    }

    /// What a code says: `soap:Client`, `soap:Client.Authentication`, `ns1:SecurityError`, `wsse:FailedCheck`.
    private static func kind(of code: String) -> BankAnswer.Fault? {
        let local = code.split(separator: ":").last ?? ""
        var found: BankAnswer.Fault?
        for part in local.split(separator: ".") {
            switch part {
            case "FailedAuthentication", "InvalidSecurity", "InvalidSecurityToken", "FailedCheck", "MessageExpired",
                "SecurityTokenUnavailable", "UnsupportedSecurityToken", "SecurityError", "Authentication",
                "Authorization", "AuthenticationFailed", "Unauthorized", "BadCredentials":
                return .security
            case "Client", "Sender": found = .client
            default: continue
            }
        }
        return found
    }
}
