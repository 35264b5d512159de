// SPDX-License-Identifier: Apache-2.0

import Bus
import Unicode
import XML

/// Reads a request from the events of its document: a state machine over the place the parser is in.
///
/// Elements we do not know are passed over, whatever is in them; an element with `xsi:nil` counts as absent.
final class EnvelopeReader: XMLHandler {
    /// The request's version, known with its first element.
    private(set) var version: SOAPVersion?
    /// What its headers said; `nil` where there are none.
    private(set) var header: HeaderReader?
    private let understandsSecurity: Bool
    /// Whether references were put in their places before.
    private let isResolved: Bool
    private var places: [Place] = [.document]
    /// How deep we are in something that is passed over.
    private var ignored = 0
    private var text: [UInt8] = []
    private var hasBody = false
    private var operation: Operation?
    private var hasNotification = false
    private var fields = NotificationFields()
    private var queriedID: String?
    private var users: [String] = []
    private var entry: (key: String?, value: String?) = (nil, nil)

    /// Creates a reader; one that does not understand Security refuses a request that demands it.
    ///
    /// One for a document in which references were put in their places, `isResolved`, looks for none.
    init(understandsSecurity: Bool = false, isResolved: Bool = false) {
        self.understandsSecurity = understandsSecurity
        self.isResolved = isResolved
        places.reserveCapacity(16)
        text.reserveCapacity(256)
    }

    /// The request, if the whole document is one.
    func request() throws(SOAPFault) -> SOAPRequest {
        guard hasBody else { throw .client("the envelope has no Body") }
        guard let operation else { throw .client("the Body is empty") }
        return SOAPRequest(operation: operation, message: try message(of: operation))
    }

    private func message(of operation: Operation) throws(SOAPFault) -> Message {
        switch operation {
        case .sendNotification:
            guard hasNotification else { throw .client("notification is missing") }
            // Moved out, not copied with all its texts: it is asked for once.
            var read = NotificationFields()
            swap(&read, &fields)
            return .notification(try read.notification())
        case .getNotificationDetails: return .query(.notification(try id()))
        case .getDeliveryStatus: return .query(.deliveryStatus(try id()))
        case .deleteSubscription:
            let users = try recipients()
            guard users.count == 1 else { throw .client("user is repeated") }
            return .unregistration(.user(users[0]))
        case .checkSubscriptionExists: return .query(.subscriptions(try recipients()))
        }
    }

    private func id() throws(SOAPFault) -> NotificationID {
        guard let queriedID else { throw .client("id is missing") }
        return NotificationID(try FieldText.identifier(queriedID, .queriedID))
    }

    private func recipients() throws(SOAPFault) -> [Recipient] {
        guard !users.isEmpty else { throw .client("user is missing") }
        return try FieldText.recipients(users, .user)
    }

    // MARK: Events

    func startElement(_ name: XMLName, _ attributes: XMLAttributes) throws {
        guard ignored == 0 else {
            ignored += 1
            if place == .header { try header?.startElement(name, attributes, version ?? .v11) }
            return
        }
        guard let next = try enter(name, attributes) else {
            ignored = 1
            return
        }
        if attributes.count > 0, !isResolved, next.needsResolving(attributes) { throw NeedsResolving() }
        places.append(next)
        if case .field = next { text.removeAll(keepingCapacity: true) }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if ignored == 0 {
            if case .field = place { text.append(contentsOf: bytes) }
        } else if place == .header {
            header?.text(bytes)
        }
    }

    func endElement() throws {
        guard ignored == 0 else {
            ignored -= 1
            if place == .header { try header?.endElement() }
            return
        }
        switch places.removeLast() {
        case .field(let field): try store(String(decoding: text, as: UTF8.self), in: field)
        case .entry: closeEntry()
        case .tag: closeTag()
        default: break
        }
    }

    private var place: Place { places[places.count - 1] }

    // MARK: Going down

    private func enter(_ name: XMLName, _ attributes: XMLAttributes) throws -> Place? {
        switch place {
        case .document: return try enterEnvelope(name)
        case .envelope: return try enterPart(name)
        case .header:
            // Passed over here, and heard by the header's reader.
            let reader = header ?? HeaderReader(understandsSecurity: understandsSecurity)
            header = reader
            try reader.startElement(name, attributes, version ?? .v11)
            return nil
        case .body: return try enterOperation(name)
        case .field(let field): return try enterItem(of: field)
        default: break
        }
        guard let next = place.child(name), !attributes.isNil else { return nil }
        try open(next, isPushDetails: name.isLocal("pushDetails"))
        return next
    }

    /// A list that stands in one element, as SOAP's arrays and .NET's lists do: its items are the values.
    private func enterItem(of field: Field) throws(SOAPFault) -> Place {
        guard field.isRepeatable, trimmed(String(decoding: text, as: UTF8.self)).isEmpty else {
            throw .client("\(field.path) must hold text only")
        }
        places[places.count - 1] = .list(field)
        return .field(field)
    }

    /// Notes that a part with parts of its own begins.
    private func open(_ place: Place, isPushDetails: Bool) throws(SOAPFault) {
        switch place {
        case .notification: try once(&hasNotification, "notification")
        case .content: try once(&fields.hasContent, "notification.pushContent")
        case .details where isPushDetails: try once(&fields.hasPushDetails, "notification.pushDetails")
        case .details: try once(&fields.hasDetails, "notification.details")
        case .amount: try once(&fields.details.hasAmount, "notification.pushDetails.amount")
        case .entry, .tag: entry = (nil, nil)
        default: break
        }
    }

    private func once(_ flag: inout Bool, _ path: String) throws(SOAPFault) {
        if flag { throw .client("\(path) is repeated") }
        flag = true
    }

    private func enterEnvelope(_ name: XMLName) throws(SOAPFault) -> Place {
        guard name.isLocal("Envelope") else { throw .client("the document is not a SOAP envelope") }
        guard let version = SOAPVersion(envelope: name) else {
            throw SOAPFault(code: .versionMismatch, message: "the envelope is of neither SOAP 1.1 nor SOAP 1.2")
        }
        self.version = version
        return .envelope
    }

    private func enterPart(_ name: XMLName) throws(SOAPFault) -> Place? {
        guard let version, name.isIn(version.namespace) else { return nil }
        if name.isLocal("Header"), !hasBody { return .header }
        guard name.isLocal("Body") else { return nil }
        try once(&hasBody, "Body")
        return .body
    }

    private func enterOperation(_ name: XMLName) throws(SOAPFault) -> Place {
        guard operation == nil else { throw .client("the Body has more than one child") }
        guard let found = Operation(name) else {
            // In the words that callers of the field's older servers look for.
            throw .client("Message part was not recognized. (Does it exist in service WSDL?)")
        }
        operation = found
        return .operation(found)
    }

    // MARK: Coming up

    private func store(_ value: consuming String, in field: Field) throws(SOAPFault) {
        switch field {
        case .recipient: fields.recipients.append(value)
        case .user: users.append(value)
        case .id: try set(&fields.id, value, field)
        case .timeout: try set(&fields.timeout, value, field)
        case .perishable: try set(&fields.perishable, value, field)
        case .priority: try set(&fields.priority, value, field)
        case .collapseID: try set(&fields.collapseID, value, field)
        case .badge: try set(&fields.badge, value, field)
        case .sound: try set(&fields.sound, value, field)
        case .text: try set(&fields.text, value, field)
        case .type: try set(&fields.type, value, field)
        case .target: try set(&fields.target, value, field)
        case .name: try set(&fields.details.name, value, field)
        case .logo: try set(&fields.details.logo, value, field)
        case .description: try set(&fields.details.description, value, field)
        case .currency: try set(&fields.details.currency, value, field)
        case .fxAmount: try set(&fields.details.fxAmount, value, field)
        case .key: try set(&entry.key, value, field)
        case .value: try set(&entry.value, value, field)
        case .queriedID: try set(&queriedID, value, field)
        }
    }

    private func set(_ slot: inout String?, _ value: consuming String, _ field: Field) throws(SOAPFault) {
        guard slot == nil else { throw .client("\(field.path) is repeated") }
        slot = value
    }

    /// The key of the entry that ends; `nil` where it has none, and then it says nothing.
    private var closedKey: String? {
        FieldText.given(entry.key).map(trimmed)
    }

    private func closeEntry() {
        // An array of entries ends as an entry without a key.
        defer { entry = (nil, nil) }
        guard let key = closedKey else { return }
        if places.last(where: { $0 != .entry }) == .contentDetails {
            fields.contentDetails.append((key, entry.value))
        } else {
            fields.details.entries.append((key, entry.value))
        }
    }

    private func closeTag() {
        if let key = closedKey { fields.details.tags.append((key, entry.value)) }
        entry = (nil, nil)
    }
}

extension XMLAttributes {
    /// Whether the element says that it is not there.
    fileprivate var isNil: Bool {
        guard count > 0, let value = value("nil", namespace: "http://www.w3.org/2001/XMLSchema-instance") else {
            return false
        }
        return value.isEqual(to: "true") || value.isEqual(to: "1")
    }
}
