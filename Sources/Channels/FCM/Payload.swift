// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import PushService

/// What all messages of one notification have in common; the token and the time to live are put in front.
struct Payload {
    /// FCM takes 4,096 bytes; a token with what goes with it is reckoned at 320, more than any has.
    static let limit = 4096 - 320
    /// The longest time to live, four weeks in seconds.
    private static let longestLife: Int64 = 2_419_200

    /// What follows the time to live, to the end of the body.
    private let rest: [UInt8]

    /// Renders a notification; texts for people are shortened until it fits, ids, codes and links never.
    ///
    /// `nil` where it does not fit even without its text.
    init?(_ notification: Notification) {
        let texts = FittedTexts(
            title: notification.details?.name,
            text: notification.content.text,
            limit: Self.limit
        )
        guard let rest = texts.render({ Self.write(notification, $0, $1) }) else { return nil }
        self.rest = rest
    }

    /// The body for a token; without an `expiration` there is one attempt.
    func body(token: String, expiration: WallTime?, now: WallTime) -> [UInt8] {
        let left = (expiration?.milliseconds(since: now) ?? 0) / 1000
        var json = JSONWriter(capacity: 320 + rest.count)
        json.beginObject()
        json.key("message")
        json.beginObject()
        json.key("token")
        json.string(token)
        json.key("android")
        json.beginObject()
        json.key("ttl")
        json.string("\(min(max(0, left), Self.longestLife))s")
        return json.bytes + rest
    }

    private static func write(_ notification: Notification, _ title: String?, _ text: String) -> [UInt8] {
        let urgency: StaticString = notification.priority < 5 ? "NORMAL" : "HIGH"
        var json = JSONWriter(capacity: 384 + text.utf8.count)
        json.beginObject()
        json.key("priority")
        json.string(static: urgency)
        // A phone that is off keeps four of these at most: only what is meant to replace has one.
        if let id = notification.collapseID, !id.isEmpty {
            json.key("collapse_key")
            json.string(id)
        }
        json.key("notification")
        writeAndroid(notification, &json)
        json.endObject()
        json.key("notification")
        json.beginObject()
        if let title {
            json.key("title")
            json.string(title)
        }
        json.key("body")
        json.string(text)
        json.endObject()
        json.key("data")
        writeData(notification, &json)
        // Where the object began, the time to live stands before it.
        return [UInt8(ascii: ",")] + json.bytes.dropFirst() + Array("}}".utf8)
    }

    /// How Android shows it: what is sent twice replaces itself, and the badge counts where there is one.
    private static func writeAndroid(_ notification: Notification, _ json: inout JSONWriter) {
        json.beginObject()
        json.key("tag")
        json.string(notification.collapseID.flatMap { $0.isEmpty ? nil : $0 } ?? notification.id.text)
        json.key("sound")
        json.string(notification.content.sound)
        if notification.content.badge > 0 {
            json.key("notification_count")
            json.integer(notification.content.badge)
        }
        json.endObject()
    }

    /// What the app gets: strings only, FCM takes nothing else.
    private static func writeData(_ notification: Notification, _ json: inout JSONWriter) {
        json.beginObject()
        json.key("notificationId")
        json.string(notification.id.text)
        json.key("type")
        json.string(notification.content.type.rawValue)
        if let target = notification.content.target {
            json.key("target")
            json.string(target)
        }
        if notification.details != nil {
            json.key("details")
            json.string(static: "true")
        }
        json.endObject()
    }
}
