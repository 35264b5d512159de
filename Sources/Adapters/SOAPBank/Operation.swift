// SPDX-License-Identifier: Apache-2.0

import Bus
import XML

/// What a bank can ask for.
enum Operation: CaseIterable {
    case sendNotification
    case getNotificationDetails
    case getDeliveryStatus
    case deleteSubscription
    case checkSubscriptionExists

    /// The namespace of the requests and results.
    static let namespace: StaticString = "http://inbound.sbi.pigeon.idamobile.com/"

    /// The name of the request's element.
    var name: StaticString {
        switch self {
        case .sendNotification: "sendNotification"
        case .getNotificationDetails: "getNotificationDetails"
        case .getDeliveryStatus: "getDeliveryStatus"
        case .deleteSubscription: "deleteSubscription"
        case .checkSubscriptionExists: "checkSubscriptionExists"
        }
    }

    /// What WS-Addressing calls a request; its answer has `Response` behind it (the default of WSDL 1.1's names).
    var action: String { "\(Self.namespace)SBIInboundWebService/\(name)" }

    /// The operation of a request's element; in our namespace or in none, for so are the examples banks start from.
    init?(_ element: XMLName) {
        guard element.namespace.isEmpty || element.isIn(Self.namespace) else { return nil }
        guard let found = Self.allCases.first(where: { element.isLocal($0.name) }) else { return nil }
        self = found
    }
}

/// A request, understood.
struct SOAPRequest: Equatable {
    let operation: Operation
    let message: Message
}
