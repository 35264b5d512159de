// SPDX-License-Identifier: Apache-2.0

import XML

/// Reads a call out of a SOAP 1.1 envelope.
final class BankCallReader: XMLHandler {
    private static let envelope: StaticString = "http://schemas.xmlsoap.org/soap/envelope/"

    /// The document is no envelope with one call in it.
    struct NoCall: Error {}

    private var depth = 0
    private var isInBody = false
    private var call: BankCall?
    private var name = ""
    private var text: [UInt8] = []

    /// Reads a request's body.
    static func read(_ bytes: [UInt8], at now: Int64) throws -> BankCall {
        let reader = BankCallReader()
        try parser.parse(bytes, handler: reader)
        guard var call = reader.call else { throw NoCall() }
        call.at = now
        return call
    }

    private static let parser = XMLParser()

    func startElement(_ name: XMLName, _ attributes: XMLAttributes) throws {
        depth += 1
        switch depth {
        case 1: guard name.isLocal("Envelope"), name.isIn(Self.envelope) else { throw NoCall() }
        case 2: isInBody = name.isLocal("Body") && name.isIn(Self.envelope)
        case 3 where isInBody:
            guard call == nil else { throw NoCall() }
            let operation = String(decoding: name.local, as: UTF8.self)
            let namespace = String(decoding: name.namespace, as: UTF8.self)
            call = BankCall(at: 0, operation: operation, namespace: namespace, fields: [])
        case 4 where isInBody:
            // As the WSDL has it: children are unqualified.
            guard name.namespace.isEmpty else { throw NoCall() }
            self.name = String(decoding: name.local, as: UTF8.self)
            text.removeAll(keepingCapacity: true)
        case 5... where isInBody: throw NoCall()
        default: break
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) { if depth == 4, isInBody { text.append(contentsOf: bytes) } }

    func endElement() {
        if depth == 4, isInBody { call?.fields.append(.init(name, String(decoding: text, as: UTF8.self))) }
        depth -= 1
    }
}
