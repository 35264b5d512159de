// SPDX-License-Identifier: Apache-2.0

import XML

/// Where in a request the parser stands.
enum Place: Equatable {
    case document, envelope, header, body
    case operation(Operation)
    case notification, content, contentDetails, details, amount
    /// A key and a value, in a map or as a marker.
    case entry, tag
    case field(Field)
    /// Values of one kind, each in an element of its own.
    case list(Field)

    /// What an element below this one is; `nil` = nothing we know, to be passed over.
    ///
    /// Children are known by their local names: clients qualify them or do not.
    func child(_ name: XMLName) -> Place? {
        switch self {
        case .operation(let operation): Self.child(of: operation, name)
        case .notification: Self.ofNotification(name)
        case .content: Self.ofContent(name)
        case .contentDetails: Self.isEntry(name) ? .entry : nil
        case .details: Self.ofDetails(name)
        case .amount: Self.ofAmount(name)
        case .entry: Self.ofEntry(name) ?? (Self.isEntry(name) ? .entry : nil)
        case .tag: Self.ofEntry(name) ?? (Self.isEntry(name) || name.isLocal("tags") ? .tag : nil)
        case .list(let field): .field(field)
        case .document, .envelope, .header, .body, .field: nil
        }
    }

    private static func child(of operation: Operation, _ name: XMLName) -> Place? {
        switch operation {
        case .sendNotification: name.isLocal("notification") || isNameless(name) ? .notification : nil
        case .getNotificationDetails, .getDeliveryStatus:
            name.isLocal("id") || isNameless(name) ? .field(.queriedID) : nil
        case .deleteSubscription, .checkSubscriptionExists:
            name.isLocal("user") || isNameless(name) ? .field(.user) : nil
        }
    }

    /// The names that programs without a WSDL give a parameter: PHP, Perl, old Axis, JAX-WS.
    ///
    /// Each call has only one.
    private static func isNameless(_ name: XMLName) -> Bool {
        name.isLocal("param0") || name.isLocal("in0") || name.isLocal("arg0")
            || name.isLocal("Array") || name.isLocal("Struct") || name.local.starts(with: "c-gensym".utf8)
    }

    /// An entry of a map: of CXF, or of PHP's and Axis's `Map`.
    private static func isEntry(_ name: XMLName) -> Bool { name.isLocal("entry") || name.isLocal("item") }

    private static func ofNotification(_ name: XMLName) -> Place? {
        if name.isLocal("id") { return .field(.id) }
        if name.isLocal("recipients") { return .field(.recipient) }
        if name.isLocal("timeout") { return .field(.timeout) }
        if name.isLocal("pushContent") { return .content }
        if name.isLocal("details") || name.isLocal("pushDetails") { return .details }
        if name.isLocal("perishable") { return .field(.perishable) }
        if name.isLocal("priority") { return .field(.priority) }
        return name.isLocal("collapseId") ? .field(.collapseID) : nil
    }

    private static func ofContent(_ name: XMLName) -> Place? {
        if name.isLocal("badge") { return .field(.badge) }
        if name.isLocal("sound") { return .field(.sound) }
        if name.isLocal("text") { return .field(.text) }
        if name.isLocal("type") { return .field(.type) }
        if name.isLocal("target") { return .field(.target) }
        return name.isLocal("details") ? .contentDetails : nil
    }

    private static func ofDetails(_ name: XMLName) -> Place? {
        if isEntry(name) { return .entry }
        if name.isLocal("tags") { return .tag }
        if name.isLocal("amount") { return .amount }
        if name.isLocal("name") { return .field(.name) }
        if name.isLocal("logoUrl") || name.isLocal("logo_url") { return .field(.logo) }
        if name.isLocal("pushDescription") || name.isLocal("push_description") { return .field(.description) }
        return ofAmount(name)
    }

    private static func ofAmount(_ name: XMLName) -> Place? {
        if name.isLocal("currency") { return .field(.currency) }
        return name.isLocal("fxAmount") ? .field(.fxAmount) : nil
    }

    private static func ofEntry(_ name: XMLName) -> Place? {
        if name.isLocal("key") { return .field(.key) }
        return name.isLocal("value") ? .field(.value) : nil
    }
}
