// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import Unicode

/// The body of a push: JSON that APNs takes up to 4,096 bytes of.
struct Payload {
    /// Apple's limit for the serialised JSON.
    static let limit = 4096
    /// What a title keeps, in bytes, where title and text together are too long: more than any phone shows.
    private static let shortTitle = 256

    private let notification: Notification
    private let title: String?

    init(_ notification: Notification) {
        self.notification = notification
        title = notification.details?.name.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The JSON; texts for people are shortened until it fits, ids, codes and links never.
    ///
    /// - Returns: `nil` where it does not fit even without its text.
    func render() -> [UInt8]? {
        let text = notification.content.text
        let whole = write(title, text)
        guard whole.count > Self.limit else { return whole }
        let room = Self.limit - (whole.count - JSONWriter.escapedLength(of: text))
        if room >= 0 { return write(title, Self.shorten(text, to: room)) }
        guard let title else { return nil }
        let roomForBoth = room + JSONWriter.escapedLength(of: title)
        guard roomForBoth >= 0 else { return nil }
        let short = Self.shorten(title, to: min(roomForBoth, Self.shortTitle))
        return write(short, Self.shorten(text, to: roomForBoth - JSONWriter.escapedLength(of: short)))
    }

    private static func shorten(_ text: String, to room: Int) -> String {
        truncate(text, toCost: room, of: JSONWriter.escapedLength)
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
