// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import PushService

/// The body of a push: JSON that APNs takes up to 4,096 bytes of.
struct Payload {
    /// Apple's limit for the serialised JSON.
    static let limit = 4096

    private let notification: Notification

    init(_ notification: Notification) { self.notification = notification }

    /// The JSON; texts for people are shortened until it fits, ids, codes and links never.
    ///
    /// - Returns: `nil` where it does not fit even without its text.
    func render() -> [UInt8]? {
        let texts = FittedTexts(
            title: notification.details?.name,
            text: notification.content.text,
            limit: Self.limit
        )
        return texts.render(write)
    }

    private func write(_ title: String?, _ text: String) -> [UInt8] {
        let content = notification.content
        var json = JSONWriter(capacity: 384 + text.utf8.count)
        json.beginObject()
        json.key("aps")
        json.beginObject()
        json.key("alert")
        json.beginObject()
        if let title {
            json.key("title")
            json.string(title)
        }
        json.key("body")
        json.string(text)
        json.endObject()
        json.key("badge")
        json.integer(content.badge)
        json.key("sound")
        json.string(content.sound)
        json.endObject()
        json.key("notificationId")
        json.string(notification.id.text)
        json.key("type")
        json.string(content.type.rawValue)
        if let target = content.target {
            json.key("target")
            json.string(target)
        }
        if notification.details != nil {
            json.key("details")
            json.bool(true)
        }
        json.endObject()
        return json.bytes
    }
}
