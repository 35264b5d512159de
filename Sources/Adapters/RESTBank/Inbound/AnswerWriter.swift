// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import Threads

/// Puts what the bus said into JSON.
enum AnswerWriter {
    static let done = answer { _ in }

    static func existence(_ exists: Bool) -> HTTPResponse {
        answer { writer in
            writer.key("exists")
            writer.bool(exists)
        }
    }

    static func statuses(_ statuses: [RecipientStatus], status: Int) -> HTTPResponse {
        answer(status: status) { writer in
            writer.key("deliveryStatus")
            writer.beginObject()
            // A spelling that was given twice has one status, and an object one member of a name.
            var seen: Set<RecipientID> = []
            for entry in statuses where seen.insert(entry.recipient).inserted {
                writer.key(text: entry.recipient.text)
                writer.string(entry.status.rawValue)
            }
            writer.endObject()
        }
    }

    static func timeline(_ events: [TimelineEvent]) -> HTTPResponse {
        answer { writer in
            writer.key("events")
            writer.beginArray()
            for event in events {
                writer.beginObject()
                writer.member("at", Timestamp.text(event.at))
                writer.member("recipient", event.recipient.text)
                writer.member("device", event.device)
                writer.member("channel", event.channel)
                writer.member("event", event.event)
                writer.member("detail", event.detail)
                writer.endObject()
            }
            writer.endArray()
        }
    }

    static func notification(_ notification: Notification) -> HTTPResponse {
        answer { writer in
            writer.key("notification")
            writer.beginObject()
            writer.member("id", notification.id.text)
            writer.key("recipients")
            writer.beginArray()
            for recipient in notification.recipients { writer.string(recipient.spelling.text) }
            writer.endArray()
            writer.member("timeout", notification.timeout)
            write(notification.content, to: &writer)
            if let details = notification.details { write(details, to: &writer) }
            writer.key("perishable")
            writer.bool(notification.isPerishable)
            writer.member("priority", notification.priority)
            writer.member("collapseId", notification.collapseID)
            writer.endObject()
        }
    }

    private static func write(_ content: PushContent, to writer: inout JSONWriter) {
        writer.key("pushContent")
        writer.beginObject()
        writer.member("badge", content.badge)
        writer.member("sound", content.sound)
        writer.member("text", content.text)
        writer.member("type", content.type.rawValue)
        writer.member("target", content.target ?? (content.hasNilTarget ? "nil" : nil))
        writer.endObject()
    }

    private static func write(_ details: PushDetails, to writer: inout JSONWriter) {
        writer.key("pushDetails")
        writer.beginObject()
        writer.member("name", details.name)
        writer.member("logoUrl", details.logoURL)
        writer.member("pushDescription", details.description)
        if !details.tags.isEmpty {
            writer.key("tags")
            writer.beginArray()
            for tag in details.tags {
                writer.beginObject()
                writer.member("key", tag.key)
                writer.member("value", tag.value)
                writer.endObject()
            }
            writer.endArray()
        }
        if let amount = details.amount {
            writer.key("amount")
            writer.beginObject()
            writer.member("currency", amount.currency)
            writer.member("fxAmount", amount.fxAmount)
            writer.endObject()
        }
        writer.endObject()
    }

    private static func answer(status: Int = 200, _ write: (inout JSONWriter) -> Void) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("status")
        writer.string(static: "OK")
        write(&writer)
        writer.endObject()
        return HTTPResponse(status: status, contentType: "application/json", body: writer.bytes)
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ key: StaticString, _ number: some BinaryInteger) {
        self.key(key)
        integer(number)
    }

    /// Writes a member where there is a text for it.
    fileprivate mutating func member(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        self.key(key)
        string(text)
    }
}
