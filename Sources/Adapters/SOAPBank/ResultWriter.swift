// SPDX-License-Identifier: Apache-2.0

import Bus
import XML

/// Writes what stands in `return`: status, errorMessage, then the result, in the order that strict clients insist on.
enum ResultWriter {
    static func write(_ reply: Reply, to operation: Operation, _ writer: inout XMLWriter) {
        switch reply {
        case .accepted(let statuses), .statuses(let statuses):
            writer.markup("<status>OK</status>")
            write(statuses, to: &writer)
        case .notification(let notification):
            writer.markup("<status>OK</status>")
            write(notification, to: &writer)
        case .exists(let exists):
            writer.markup("<status>OK</status>")
            writer.markup(exists ? "<exists>true</exists>" : "<exists>false</exists>")
        case .done: writer.markup("<status>OK</status>")
        case .duplicate: write("DUPLICATED_ENTITY", "the id was used before", operation, to: &writer)
        case .notFound: write("ENTITY_NOT_FOUND", "there is no such entity", operation, to: &writer)
        case .failed(let reason): write("INTERNAL_SERVER_ERROR", reason, operation, to: &writer)
        case .details, .timeline, .subscribed, .verificationRequired, .verificationFailed, .tooManyTries,
            .unknownClient, .authorizationFailed, .bankUnreachable, .bankNotUnderstood, .gatewayUnreachable,
            .unauthorized, .refused,
            .overloaded, .unavailable:
            let message = "the bus gave an answer that does not fit the question"
            write("INTERNAL_SERVER_ERROR", message, operation, to: &writer)
        }
    }

    private static func write(
        _ status: StaticString,
        _ message: String,
        _ operation: Operation,
        to writer: inout XMLWriter
    ) {
        writer.open("status")
        writer.markup(status)
        writer.close("status")
        writer.element("errorMessage", message)
        // What the documentation calls 1..1 is there whatever the status says.
        switch operation {
        case .getDeliveryStatus: writer.markup("<deliveryStatus></deliveryStatus>")
        case .checkSubscriptionExists: writer.markup("<exists>false</exists>")
        case .sendNotification, .getNotificationDetails, .deleteSubscription: break
        }
    }

    private static func write(_ statuses: [RecipientStatus], to writer: inout XMLWriter) {
        writer.open("deliveryStatus")
        for status in statuses { entry(status.recipient.text, status.status.rawValue, to: &writer) }
        writer.close("deliveryStatus")
    }

    private static func write(_ notification: Notification, to writer: inout XMLWriter) {
        writer.open("notification")
        if let details = notification.details { write(details, to: &writer) }
        writer.element("id", notification.id.text)
        writer.element("perishable", notification.isPerishable ? "true" : "false")
        writer.element("priority", String(notification.priority))
        write(notification.content, to: &writer)
        for recipient in notification.recipients { writer.element("recipients", recipient.spelling.text) }
        writer.element("timeout", String(notification.timeout))
        if let collapseID = notification.collapseID { writer.element("collapseId", collapseID) }
        writer.close("notification")
    }

    private static func write(_ content: PushContent, to writer: inout XMLWriter) {
        writer.open("pushContent")
        writer.element("badge", String(content.badge))
        if let target = content.target ?? (content.hasNilTarget ? "nil" : nil) {
            writer.open("details")
            entry("target", target, to: &writer)
            writer.close("details")
        }
        writer.element("sound", content.sound)
        writer.element("text", content.text)
        writer.element("type", content.type.rawValue)
        writer.close("pushContent")
    }

    private static func write(_ details: PushDetails, to writer: inout XMLWriter) {
        writer.open("details")
        if let logo = details.logoURL { entry("logo_url", logo, to: &writer) }
        if let description = details.description { entry("push_description", description, to: &writer) }
        if let name = details.name { entry("name", name, to: &writer) }
        if let amount = details.amount {
            entry("currency", amount.currency, to: &writer)
            entry("fxAmount", String(amount.fxAmount), to: &writer)
        }
        for tag in details.tags { entry(tag.key, tag.value, to: &writer) }
        writer.close("details")
    }

    private static func entry(_ key: String, _ value: String?, to writer: inout XMLWriter) {
        writer.open("entry")
        writer.element("key", key)
        if let value { writer.element("value", value) }
        writer.close("entry")
    }
}
