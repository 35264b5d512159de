// SPDX-License-Identifier: Apache-2.0

package import Bus
package import JSON

extension JSONWriter {
    /// Writes the members of a notification as the REST API has them; `recipients` is how they are named.
    package mutating func members(of notification: Notification, recipients: some Sequence<String>) {
        member("id", notification.id.text)
        key("recipients")
        beginArray()
        for recipient in recipients { string(recipient) }
        endArray()
        member("timeout", notification.timeout)
        write(notification.content)
        if let details = notification.details { write(details) }
        key("perishable")
        bool(notification.isPerishable)
        member("priority", notification.priority)
        member("collapseId", notification.collapseID)
    }

    private mutating func write(_ content: PushContent) {
        key("pushContent")
        beginObject()
        member("badge", content.badge)
        member("sound", content.sound)
        member("text", content.text)
        member("type", content.type.rawValue)
        member("target", content.target ?? (content.hasNilTarget ? "nil" : nil))
        endObject()
    }

    private mutating func write(_ details: PushDetails) {
        key("pushDetails")
        beginObject()
        member("name", details.name)
        member("logoUrl", details.logoURL)
        member("pushDescription", details.description)
        if !details.tags.isEmpty {
            key("tags")
            beginArray()
            for tag in details.tags {
                beginObject()
                member("key", tag.key)
                member("value", tag.value)
                endObject()
            }
            endArray()
        }
        if let amount = details.amount {
            key("amount")
            beginObject()
            member("currency", amount.currency)
            member("fxAmount", amount.fxAmount)
            endObject()
        }
        endObject()
    }
}

extension JSONWriter {
    package mutating func member(_ key: StaticString, _ number: some BinaryInteger) {
        self.key(key)
        integer(number)
    }

    /// Writes a member where there is a text for it.
    package mutating func member(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        self.key(key)
        string(text)
    }
}
