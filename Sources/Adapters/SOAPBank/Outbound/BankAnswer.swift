// SPDX-License-Identifier: Apache-2.0

import Unicode
import XML

/// What a bank's service said, in either version of SOAP.
enum BankAnswer: Equatable {
    /// A response; the value of the wanted field, where there is one.
    case response(String?)
    /// A fault.
    case fault(Fault)

    /// Why the service refused, as far as its fault tells.
    enum Fault: Equatable {
        /// `BankClientNotExistsException`.
        case unknownClient
        /// The call is at fault: Client in 1.1, Sender in 1.2.
        case client
        /// The bus's credentials are (WS-Security 1.0, §12).
        case security
        /// Anything else.
        case server
    }

    /// Reads an answer; `field` is the name of the value it may hold beside the usual `return`.
    ///
    /// - Throws: where it is no SOAP.
    static func read(_ bytes: [UInt8], field: StaticString, charset: String?) throws -> BankAnswer {
        let reader = BankAnswerReader(field: field)
        try parser.parse(bytes, charset: charset, handler: reader)
        guard let answer = reader.answer else { throw NoAnswer() }
        return answer
    }

    /// What came is no envelope with something in it.
    struct NoAnswer: Error {}

    private static let parser = XMLParser()
}

/// Follows an answer's document: the result stands in `return`, or directly in the response.
private final class BankAnswerReader: XMLHandler {
    private static let exception = "BankClientNotExistsException"
    private static let longest = 8 << 10

    private let field: StaticString
    private var depth = 0
    private var isInBody = false
    private var hasResponse = false
    private var fault: BankAnswer.Fault?
    private var wanted: String?
    private var returned: String?
    /// Whether the element that ends next is the one begun last, and so has no parts.
    private var isLeaf = false
    private var name: [UInt8] = []
    private var text: [UInt8] = []

    init(field: StaticString) { self.field = field }

    var answer: BankAnswer? {
        if let fault { return .fault(fault) }
        return hasResponse ? .response(wanted ?? returned) : nil
    }

    func startElement(_ name: XMLName, _ attributes: XMLAttributes) throws {
        depth += 1
        switch depth {
        case 1: guard name.isLocal("Envelope"), SOAPVersion(envelope: name) != nil else { throw BankAnswer.NoAnswer() }
        case 2: isInBody = name.isLocal("Body")
        case 3 where isInBody && !hasResponse && fault == nil:
            if name.isLocal("Fault") { fault = .server } else { hasResponse = true }
        default: break
        }
        if depth > 3, isInBody { note(String(decoding: name.local, as: UTF8.self)) }
        isLeaf = true
        self.name = Array(name.local)
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

    /// The exception may be an element, in a fault's detail or in the response.
    private func note(_ name: String) { if name == Self.exception { fault = .unknownClient } }

    private func keep(_ value: String) {
        if wanted == nil, isNamed(field), !value.isEmpty { wanted = value }
        if returned == nil, isNamed("return"), !value.isEmpty { returned = value }
    }

    private func isNamed(_ wanted: StaticString) -> Bool { name.withUnsafeBufferPointer { $0.isEqual(to: wanted) } }

    private func classify(_ value: String) {
        if value.contains(Self.exception) { fault = .unknownClient }
        guard fault == .server, isNamed("faultcode") || isNamed("Value") else { return }
        switch value.split(separator: ":").last {
        case "Client", "Sender": fault = .client
        case "FailedAuthentication", "InvalidSecurity", "InvalidSecurityToken", "FailedCheck", "MessageExpired":
            fault = .security
        default: break
        }
    }
}
