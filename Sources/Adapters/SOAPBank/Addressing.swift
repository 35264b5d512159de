// SPDX-License-Identifier: Apache-2.0

import Crypto
import XML

/// What a request's WS-Addressing headers say (WS-Addressing 1.0, and the submission of August 2004).
///
/// The operation is known by the Body and the caller by its connection, so `Action`, `To` and `From` are understood
/// and change nothing. Answers go back over the connection: whoever wants them elsewhere is refused.
struct Addressing: Equatable {
    /// A header of a message; `From` and those with other names say nothing that is needed.
    enum Property: CaseIterable {
        case action, to, from, replyTo, faultTo, messageID, relatesTo

        /// The name of the header.
        var name: StaticString {
            switch self {
            case .action: "Action"
            case .to: "To"
            case .from: "From"
            case .replyTo: "ReplyTo"
            case .faultTo: "FaultTo"
            case .messageID: "MessageID"
            case .relatesTo: "RelatesTo"
            }
        }

        /// The property of a header's name, in either version.
        init?(_ name: XMLName) {
            guard let found = Self.allCases.first(where: { name.isLocal($0.name) }) else { return nil }
            self = found
        }

        /// Whether an endpoint reference stands in it.
        var isEndpoint: Bool { self == .replyTo || self == .faultTo || self == .from }
        /// Whether a message may have several (WS-Addressing 1.0 core, 3.2).
        fileprivate var isRepeatable: Bool { self == .relatesTo || self == .from }
    }

    let version: Version
    /// The request's id, which the answer relates to.
    var messageID: String?
    private var seen: Set<Property> = []
    private var addresses: [Property: String] = [:]
    /// What is wrong with the headers, the first of it; said once all of them are read.
    private var problem: AddressingFault?

    init(version: Version) { self.version = version }

    /// Whether the caller wants no answer at all.
    var wantsNoAnswer: Bool { addresses[.replyTo].map(version.isNobody) ?? false }

    /// Notes that a header begins.
    mutating func note(_ property: Property) {
        guard !seen.insert(property).inserted, !property.isRepeatable else { return }
        report(.repeated(property))
    }

    /// Whether an element of an endpoint reference is its address.
    func isAddress(_ name: XMLName) -> Bool { name.isLocal("Address") && name.isIn(version.namespace) }

    /// Notes an endpoint's address.
    mutating func setAddress(_ address: String, of property: Property) { addresses[property] = address }

    /// Notes that an endpoint reference ends.
    mutating func closeEndpoint(_ property: Property) {
        // Whom it is from changes nothing.
        guard property != .from else { return }
        guard let address = addresses[property], !address.isEmpty else { return report(.missingAddress(property)) }
        guard !version.isAnonymous(address), !version.isNobody(address) else { return }
        report(.notAnonymous(property))
    }

    /// Returns if the request can be answered as it asks.
    func check() throws(SOAPFault) {
        guard let problem else { return }
        throw SOAPFault(code: .addressing(problem, version), message: problem.message)
    }

    private mutating func report(_ fault: AddressingFault) { if problem == nil { problem = fault } }

    /// Writes the Header of an answer.
    func write(to writer: inout XMLWriter, action: String, faultDetail: AddressingFault? = nil) {
        writer.markup("<soap:Header xmlns:wsa=\"")
        writer.markup(version.namespace)
        writer.markup("\">")
        writer.element("wsa:Action", action)
        writer.element("wsa:MessageID", "urn:uuid:\(Self.newID())")
        writer.markup("<wsa:To>")
        writer.markup(version.anonymous)
        writer.markup("</wsa:To>")
        if let messageID, !messageID.isEmpty { writer.element("wsa:RelatesTo", messageID) }
        if let faultDetail, version == .v10 {
            writer.markup("<wsa:FaultDetail>")
            faultDetail.writeProblem(to: &writer)
            writer.markup("</wsa:FaultDetail>")
        }
        writer.markup("</soap:Header>")
    }

    /// A random UUID (RFC 9562, version 4).
    private static func newID() -> String {
        var bytes = SecureRandom.bytes(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        let digits = Hex.encode(bytes)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }
}
