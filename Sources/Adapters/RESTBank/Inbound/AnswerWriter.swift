// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import NotificationJSON
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
            writer.members(of: notification, recipients: notification.recipients.lazy.map(\.spelling.text))
            writer.endObject()
        }
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
