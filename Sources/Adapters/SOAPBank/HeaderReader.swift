// SPDX-License-Identifier: Apache-2.0

import Unicode
import XML

/// Reads the blocks of a request's Header that we understand, WS-Security and WS-Addressing; passes over the others,
/// unless they must be understood.
final class HeaderReader {
    /// Where in the Header the parser stands.
    private enum Place {
        case security, usernameToken, timestamp
        case endpoint(Addressing.Property)
        case field(HeaderField)
    }

    /// The token of the Security header.
    private(set) var token: UsernameToken?
    /// The time that the Security header gives the message.
    private(set) var timestamp: SecurityTimestamp?
    /// What WS-Addressing says of the message; `nil` where it says nothing.
    private(set) var addressing: Addressing?
    /// Whether a Security header may be demanded; without that it is read only for its time.
    private let understandsSecurity: Bool
    private var places: [Place] = []
    /// How deep we are in something that is passed over.
    private var ignored = 0
    private var text: [UInt8] = []

    init(understandsSecurity: Bool) { self.understandsSecurity = understandsSecurity }

    /// An element within the Header begins.
    func startElement(
        _ name: XMLName,
        _ attributes: XMLAttributes,
        _ version: SOAPVersion
    ) throws(SOAPFault) {
        guard ignored == 0, let next = try enter(name, attributes, version) else {
            ignored += 1
            return
        }
        places.append(next)
        text.removeAll(keepingCapacity: true)
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if ignored == 0, case .field? = places.last { text.append(contentsOf: bytes) }
    }

    func endElement() throws(SOAPFault) {
        guard ignored == 0 else {
            ignored -= 1
            return
        }
        switch places.popLast() {
        case .field(let field): try store(String(decoding: text, as: UTF8.self), in: field)
        case .endpoint(let property): addressing?.closeEndpoint(property)
        default: break
        }
    }

    // MARK: Going down

    private func enter(
        _ name: XMLName,
        _ attributes: XMLAttributes,
        _ version: SOAPVersion
    ) throws(SOAPFault) -> Place? {
        switch places.last {
        case nil: return try enterBlock(name, attributes, version)
        case .security: return try enterSecurity(name)
        case .usernameToken: return enterToken(name, attributes)
        case .timestamp: return HeaderField(ofTimestamp: name).map { .field($0) }
        case .endpoint(let property): return addressing?.isAddress(name) == true ? .field(.address(property)) : nil
        case .field(let field): throw .client("\(field.path) must hold text only")
        }
    }

    private func enterBlock(
        _ name: XMLName,
        _ attributes: XMLAttributes,
        _ version: SOAPVersion
    ) throws(SOAPFault) -> Place? {
        let isDemanded = HeaderBlock.isDemanded(attributes, version)
        if name.isLocal("Security"), name.isIn(UsernameToken.namespace) {
            guard understandsSecurity || !isDemanded else {
                throw SOAPFault(code: .mustUnderstand, message: "the header Security is not understood here")
            }
            return understandsSecurity || HeaderBlock.isForUs(attributes, version) ? .security : nil
        }
        if let place = enterAddressing(name, attributes, version) { return place }
        if isDemanded { throw SOAPFault(code: .mustUnderstand, message: "a header is not understood") }
        return nil
    }

    /// A message is addressed in one version: what is of the other is a header like any that is not known.
    private func enterAddressing(
        _ name: XMLName,
        _ attributes: XMLAttributes,
        _ version: SOAPVersion
    ) -> Place? {
        guard let spoken = Addressing.Version(namespace: name), let property = Addressing.Property(name),
            addressing == nil || addressing?.version == spoken, HeaderBlock.isForUs(attributes, version)
        else { return nil }
        if addressing == nil { addressing = Addressing(version: spoken) }
        addressing?.note(property)
        return property.isEndpoint ? .endpoint(property) : .field(.property(property))
    }

    private func enterSecurity(_ name: XMLName) throws(SOAPFault) -> Place? {
        if name.isLocal("UsernameToken"), understandsSecurity {
            guard token == nil else { throw .client("UsernameToken is repeated") }
            token = UsernameToken()
            return .usernameToken
        }
        guard name.isLocal("Timestamp") else { return nil }
        guard timestamp == nil else { throw SOAPFault(code: .invalidSecurity, message: "Timestamp is repeated") }
        timestamp = SecurityTimestamp()
        return .timestamp
    }

    private func enterToken(_ name: XMLName, _ attributes: XMLAttributes) -> Place? {
        guard let field = HeaderField(ofToken: name) else { return nil }
        if field == .tokenPassword {
            let type = attributes.value("Type").map { String(decoding: $0, as: UTF8.self) } ?? ""
            token?.isDigest = type.hasSuffix("#PasswordDigest")
        }
        return .field(field)
    }

    // MARK: Coming up

    private func store(_ value: String, in field: HeaderField) throws(SOAPFault) {
        switch field {
        case .tokenUser: try Self.set(&token, \.username, value, field)
        case .tokenPassword: try Self.set(&token, \.password, value, field)
        case .tokenNonce: try Self.set(&token, \.nonce, value, field)
        case .tokenCreated: try Self.set(&token, \.created, value, field)
        case .created: try Self.set(&timestamp, \.created, value, field)
        case .expires: try Self.set(&timestamp, \.expires, value, field)
        case .property(let property): if property == .messageID { addressing?.messageID = trimmed(value) }
        case .address(let property): addressing?.setAddress(trimmed(value), of: property)
        }
    }

    private static func set<Owner>(
        _ owner: inout Owner?,
        _ slot: WritableKeyPath<Owner, String?>,
        _ value: String,
        _ field: HeaderField
    ) throws(SOAPFault) {
        guard owner?[keyPath: slot] == nil else { throw .client("\(field.path) is repeated") }
        owner?[keyPath: slot] = value
    }
}
