// SPDX-License-Identifier: Apache-2.0

import Bus
import XML

/// One call of a bank's service: the operation and its fields, in the order of the original documentation.
struct BankCall {
    /// The operations a bank implements.
    enum Operation: CaseIterable {
        case reportNotificationExpired
        case pushIsOpened
        case pushIsDelivered
        case reportNotificationFailed
        case checkSubscriptionAuthorized
        case authorizeSubscription
        case verifySubscriptionAuthorization

        /// The name of the call's element.
        var name: StaticString {
            switch self {
            case .reportNotificationExpired: "reportNotificationExpired"
            case .pushIsOpened: "pushIsOpened"
            case .pushIsDelivered: "pushIsDelivered"
            case .reportNotificationFailed: "reportNotificationFailed"
            case .checkSubscriptionAuthorized: "checkSubscriptionAuthorized"
            case .authorizeSubscription: "authorizeSubscription"
            case .verifySubscriptionAuthorization: "verifySubscriptionAuthorization"
            }
        }
    }

    let operation: Operation
    let fields: [(name: StaticString, value: String)]

    /// Tells what happened to a notification.
    init(_ event: BankEvent) {
        operation =
            switch event.kind {
            case .expired: .reportNotificationExpired
            case .opened: .pushIsOpened
            case .delivered: .pushIsDelivered
            case .failed: .reportNotificationFailed
            }
        fields = event.users.map { ("userId", $0.text) } + [("notificationId", event.notification.text)]
    }

    /// Asks about a subscription.
    init(_ question: SubscriptionQuestion) {
        switch question {
        case .isAuthorized(let subject):
            operation = .checkSubscriptionAuthorized
            fields = Self.fields(of: subject) + [("platform", subject.platform.rawValue)]
        case .authorize(let subject):
            operation = .authorizeSubscription
            fields = Self.fields(of: subject) + [("platform", subject.platform.rawValue)]
        case .verify(let subject, let code):
            operation = .verifySubscriptionAuthorization
            fields = Self.fields(of: subject) + [("verificationCode", code)]
        }
    }

    private static func fields(of subject: SubscriptionSubject) -> [(name: StaticString, value: String)] {
        [("bankClientId", subject.bankClientID), ("userId", subject.user.text), ("deviceId", subject.deviceID)]
    }

    /// The call as a SOAP 1.1 envelope; `header` writes what stands in the Header.
    func envelope(namespace: String, header: (inout XMLWriter) -> Void) -> [UInt8] {
        var writer = XMLWriter()
        writer.markup("<?xml version=\"1.0\" encoding=\"UTF-8\"?><soap:Envelope xmlns:soap=\"")
        writer.markup(SOAPVersion.namespace11)
        writer.markup("\">")
        header(&writer)
        writer.markup("<soap:Body><ns2:")
        writer.markup(operation.name)
        writer.markup(" xmlns:ns2=\"")
        writer.text(namespace)
        writer.markup("\">")
        for field in fields { writer.element(field.name, field.value) }
        writer.markup("</ns2:")
        writer.markup(operation.name)
        writer.markup("></soap:Body></soap:Envelope>")
        return writer.bytes
    }
}
